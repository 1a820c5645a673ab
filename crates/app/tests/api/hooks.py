"""Puts existing ids and valid bodies, which schemathesis cannot guess, into every second request.

`run.py` writes these ids and bodies to the file that the variable KNOWN names, once for each run.
"""

import json
import os
import random

import schemathesis

with open(os.environ["KNOWN"]) as file:
    KNOWN = json.load(file)

# The random choices of this file use the seed of the run.
CHANCE = random.Random(os.environ["SEED"])


RESET = "POST /api/admin/reset-password"


@schemathesis.hook
def before_call(context, case, kwargs):
    call = f"{case.method} {case.path}"
    # Schemathesis learns e-mail addresses from answers. If a request reset the password of the signed-in admin, the
    # admin's session would end.
    is_own_end = call == RESET and isinstance(case.body, dict) and case.body.get("userEmail") == KNOWN["self"]
    if CHANCE.random() < 0.5 and not is_own_end:
        return
    for name in case.path_parameters or {}:
        fitting = KNOWN["fitting"].get(call) if CHANCE.random() < 0.5 else None
        case.path_parameters[name] = CHANCE.choice(fitting or KNOWN["names"][name])
    bodies = KNOWN["bodies"].get(call)
    # Schemathesis also sends bodies that are not JSON objects on purpose. They are not replaced.
    if bodies and isinstance(case.body, dict):
        case.body = CHANCE.choice(bodies)
