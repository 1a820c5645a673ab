"""Validates the OpenAPI document and plays a bet from sign-up to settlement with a client that is
generated from the document: once with the cookies of browsers, and once with API keys.

`just client-test` calls this program with the binary under test.
"""

import json
import os
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

from openapi_spec_validator import validate

sys.path.insert(0, str(Path(__file__).parent.parent / "api"))
from run import Server

PACKAGE = "bolts_client"

# The generator knows neither pictures nor XML, so the client gets them as bytes.
UNKNOWN = ("image/jpeg", "image/png", "application/xml")
CONFIG = {"content_type_overrides": dict.fromkeys(UNKNOWN, "application/octet-stream")}


def generate(document, folder):
    """Writes the client's package into the folder. A warning of the generator about an unsupported call is an error."""
    programs = Path(sys.executable).parent
    config = Path(folder, "config.json")
    config.write_text(json.dumps(CONFIG))
    command = [programs / "openapi-python-client", "generate", "--path", document, "--meta", "none", "--fail-on-warning"]
    command += ["--config", config]
    environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run([*command, "--output-path", Path(folder, PACKAGE)], check=True, env=environment, stdout=sys.stderr)
    sys.path.insert(0, str(folder))


# Without the proxies of the environment.
DIRECT = {"httpx_args": {"trust_env": False}, "raise_on_unexpected_status": True}


def person(base, name):
    """A new user in a browser. httpx keeps the session cookie, and requests with a cookie need the header Origin."""
    from bolts_client import Client, models
    from bolts_client.api.accounts import sign_up

    client = Client(base, headers={"Origin": base}, **DIRECT)
    email = f"{name}@example.com"
    user = sign_up.sync(client=client, body=models.CredentialsJson(email=email, password="secret"))
    assert isinstance(user, models.User) and user.email == email, user
    return client


def program(base, owner, *scopes):
    """A program with an API key of this user. It has neither a cookie nor an Origin."""
    from bolts_client import AuthenticatedClient, models
    from bolts_client.api.accounts import make_api_key

    new = models.NewKeyJson(name="Bot", scopes=[models.NewKeyJsonScopesItem(scope) for scope in scopes], password="secret")
    made = make_api_key.sync(client=owner, body=new)
    assert isinstance(made, models.MadeApiKey) and made.secret.startswith(made.key.beginning), made
    return AuthenticatedClient(base, token=made.secret, **DIRECT), made.key


def play(ann, bob):
    """Plays a bet of Ann and Bob. The generated client sends all requests."""
    from bolts_client import models
    from bolts_client.api.accounts import get_current_user
    from bolts_client.api.bets import accept_bet, answer_proposal, create_bet, delete_bet, get_bet, propose_outcome
    from bolts_client.api.bets import list_my_bets

    def new_bet(title):
        return models.NewBetJson(
            title=title, option_a="Snow", option_b="No snow", stake_amount=5,
            resolution_method=models.NewBetJsonResolutionMethod.MUTUAL_AGREEMENT,
            expires_at=datetime.now(timezone.utc) + timedelta(hours=1),
        )

    bet = create_bet.sync(client=ann, body=new_bet("Will it snow on Friday?"))
    assert isinstance(bet, models.Bet) and bet.status == models.BetStatus.PENDING, bet
    take = models.AcceptJson(bet_id=bet.id, chosen_option=models.AcceptJsonChosenOption.B)
    taken = accept_bet.sync(client=bob, body=take)
    assert isinstance(taken, models.Bet) and taken.status == models.BetStatus.ACCEPTED, taken
    refused = accept_bet.sync(client=bob, body=take)
    assert isinstance(refused, models.Problem) and refused.code == models.ProblemCode.BET_NOT_PENDING, refused

    wins = models.ProposalJson(winning_option=models.ProposalJsonWinningOption.A)
    proposed = propose_outcome.sync(bet.id, client=ann, body=wins)
    assert isinstance(proposed, models.Proposed), proposed
    settled = answer_proposal.sync(bet.id, client=bob, body=models.AnswerJson(accept=True))
    assert isinstance(settled, models.Bet) and settled.status == models.BetStatus.RESOLVED, settled
    assert settled.winner_id == bet.creator_id == get_bet.sync(bet.id, client=bob).winner_id, settled
    balances = [get_current_user.sync(client=client).bolts_balance for client in (ann, bob)]
    assert balances[0] - balances[1] == 2 * 5, balances

    other = create_bet.sync(client=ann, body=new_bet("Will it snow on Saturday?"))
    assert delete_bet.sync(other.id, client=ann).ok
    assert [found.id for found in list_my_bets.sync(client=ann)] == [bet.id]


def leave(ann):
    """Signs Ann out and in again."""
    from bolts_client import models
    from bolts_client.api.accounts import get_current_user, sign_in, sign_out

    sign_out.sync(client=ann)
    assert isinstance(get_current_user.sync(client=ann), models.Problem)
    again = sign_in.sync(client=ann, body=models.CredentialsJson(email="ann@example.com", password="secret"))
    assert isinstance(again, models.User), again


def play_with_keys(base):
    """Plays a bet of two programs, and revokes a key."""
    from bolts_client import models
    from bolts_client.api.accounts import get_current_user, list_api_keys, revoke_api_key

    cay, dan = person(base, "cay"), person(base, "dan")
    (cay_bot, key), (dan_bot, _) = [program(base, owner, "read", "bet") for owner in (cay, dan)]
    play(cay_bot, dan_bot)
    listed = list_api_keys.sync(client=cay)
    assert [found.id for found in listed] == [key.id], listed
    refused = list_api_keys.sync(client=cay_bot)
    assert isinstance(refused, models.Problem) and refused.code == models.ProblemCode.KEY_NOT_ALLOWED, refused
    assert revoke_api_key.sync(key.id, client=cay).ok
    gone = get_current_user.sync(client=cay_bot)
    assert isinstance(gone, models.Problem) and gone.code == models.ProblemCode.INVALID_KEY, gone


def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(str(Path(binary).resolve()), folder)
        try:
            (document := Path(folder, "openapi.json")).write_bytes(server.command("openapi").stdout)
            validate(json.loads(document.read_text()))
            generate(document, folder)
            ann, bob = person(server.base, "ann"), person(server.base, "bob")
            play(ann, bob)
            leave(ann)
            play_with_keys(server.base)
            server.command("audit")
        finally:
            server.stop()
    print("The document is valid, and a client made from it settled a bet with cookies and another one with API keys.")


if __name__ == "__main__":
    main(sys.argv[1])
