"""Validates the OpenAPI document and plays a bet from sign-up to settlement with a client that is
generated from the document.

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


def play(base):
    """Plays a bet of Ann and Bob. The generated client sends all requests."""
    from bolts_client import Client, models
    from bolts_client.api.accounts import get_current_user, sign_in, sign_out, sign_up
    from bolts_client.api.bets import accept_bet, answer_proposal, create_bet, delete_bet, get_bet, propose_outcome
    from bolts_client.api.bets import list_my_bets

    def person(name):
        # httpx keeps the session cookie. The server requires the header Origin from programs too.
        client = Client(base, headers={"Origin": base}, httpx_args={"trust_env": False}, raise_on_unexpected_status=True)
        email = f"{name}@example.com"
        user = sign_up.sync(client=client, body=models.CredentialsJson(email=email, password="secret"))
        assert isinstance(user, models.User) and user.email == email, user
        return client

    def new_bet(title):
        return models.NewBetJson(
            title=title, option_a="Snow", option_b="No snow", stake_amount=5,
            resolution_method=models.NewBetJsonResolutionMethod.MUTUAL_AGREEMENT,
            expires_at=datetime.now(timezone.utc) + timedelta(hours=1),
        )

    ann, bob = person("ann"), person("bob")

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

    sign_out.sync(client=ann)
    assert isinstance(get_current_user.sync(client=ann), models.Problem)
    again = sign_in.sync(client=ann, body=models.CredentialsJson(email="ann@example.com", password="secret"))
    assert isinstance(again, models.User), again


def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(str(Path(binary).resolve()), folder)
        try:
            (document := Path(folder, "openapi.json")).write_bytes(server.command("openapi").stdout)
            validate(json.loads(document.read_text()))
            generate(document, folder)
            play(server.base)
            server.command("audit")
        finally:
            server.stop()
    print("The document is valid, and a client made from it settled a bet.")


if __name__ == "__main__":
    main(sys.argv[1])
