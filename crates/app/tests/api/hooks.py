"""What schemathesis cannot guess: names of what there is and bodies that fit together, in every other request.

`run.py` writes them into the file that KNOWN names, once for each run.
"""

import json
import os
import random

import schemathesis

with open(os.environ["KNOWN"]) as file:
    KNOWN = json.load(file)

# Seeded like the run itself.
CHANCE = random.Random(os.environ["SEED"])


RESET = "POST /api/admin/reset-password"


@schemathesis.hook
def before_call(context, case, kwargs):
    call = f"{case.method} {case.path}"
    # Schemathesis learns addresses from answers; an admin's reset of the own password would end the session.
    is_own_end = call == RESET and isinstance(case.body, dict) and case.body.get("userEmail") == KNOWN["self"]
    if CHANCE.random() < 0.5 and not is_own_end:
        return
    for name in case.path_parameters or {}:
        fitting = KNOWN["fitting"].get(call) if CHANCE.random() < 0.5 else None
        case.path_parameters[name] = CHANCE.choice(fitting or KNOWN["names"][name])
    bodies = KNOWN["bodies"].get(call)
    # What is generated to be no JSON stays as it is.
    if bodies and isinstance(case.body, dict):
        case.body = CHANCE.choice(bodies)
