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


@schemathesis.hook
def before_call(context, case, kwargs):
    if CHANCE.random() < 0.5:
        return
    call = f"{case.method} {case.path}"
    for name in case.path_parameters or {}:
        fitting = KNOWN["fitting"].get(call) if CHANCE.random() < 0.5 else None
        case.path_parameters[name] = CHANCE.choice(fitting or KNOWN["names"][name])
    bodies = KNOWN["bodies"].get(call)
    # What is generated to be no JSON stays as it is.
    if bodies and isinstance(case.body, dict):
        case.body = CHANCE.choice(bodies)
