"""Puts existing ids and valid bodies, which schemathesis cannot guess, into every second request.

`run.py` writes them to the file that KNOWN names, once for each run.
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
    # Schemathesis learns e-mail addresses from answers. If the admin reset their own password, the session would end.
    is_own_end = call == RESET and isinstance(case.body, dict) and case.body.get("userEmail") == KNOWN["self"]
    if CHANCE.random() < 0.5 and not is_own_end:
        return
    for name in case.path_parameters or {}:
        fitting = KNOWN["fitting"].get(call) if CHANCE.random() < 0.5 else None
        case.path_parameters[name] = CHANCE.choice(fitting or KNOWN["names"][name])
    bodies = KNOWN["bodies"].get(call)
    # A body that is deliberately not JSON stays as it is.
    if bodies and isinstance(case.body, dict):
        case.body = CHANCE.choice(bodies)
