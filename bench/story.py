"""The rows of generated bets: what the server would have written, from the creation of a bet to its end."""

import random
from dataclasses import dataclass, field

HOUR = 3_600_000_000
DAY = 24 * HOUR
STAND, LAPSE, DISPUTE_LAPSE, REMINDER = 72 * 3_600, 14 * 86_400, 30 * 86_400, 86_400
CATEGORIES = ["Cryptocurrency", "Sports", "Politics", "Weather", "Entertainment", "Technology", "Finance", "Other"]
TEAMS = ["Harbour", "Valley", "Mountain", "Forest", "River", "Prairie", "Island", "Desert", "Canyon", "Meadow"]
EVENTS = ["the final", "the next match", "the election", "the launch", "the vote", "the race", "the award", "the auction"]
# Words for searches: in every bet, in one of a hundred, and in one of ten thousand.
COMMON, MEDIUM, RARE = "announced", "penalty", "zeppelin"

BET_COLUMNS = (
    "seq id creator_id creator_side title description option_a option_b stake currency category method expires_at "
    "stand_seconds lapse_seconds dispute_lapse_seconds reminder_seconds created_at updated_at status acceptor_id "
    "accepted_at proposal_id proposed_outcome proposed_by proposed_at last_proposed_at rejection_count winning_side "
    "settled_at settled_by cancel_reason due_told next_deadline_at next_deadline_kind room"
).split()
# The columns that count for the length of a bet's state, and this length, as in crates/store-diesel/src/lite.rs.
STATE_COLUMNS = [column for column in BET_COLUMNS[BET_COLUMNS.index("updated_at"):] if column != "due_told"]
STATE_LENGTH = 192


def new_id(number: int, at: int) -> str:
    """An id in the layout of UUID version 7: the time in ms, then the number."""
    return f"{at // 1000:012x}7000{0x8000 + (number >> 48):04x}{number & (1 << 48) - 1:012x}"


def length(value: str | int | None) -> int:
    """About the length of a stored value in bytes."""
    return 0 if value is None else len(value) if isinstance(value, str) else 8


@dataclass
class Figures:
    """The statistics of a user in one currency."""

    total_bets: int = 0
    active_bets: int = 0
    wins: int = 0
    losses: int = 0
    winnings: int = 0
    losings: int = 0
    best_win: int = 0
    biggest_loss: int = 0


@dataclass
class Person:
    """A generated user, with the balance and the statistics in Bolts."""

    id: str
    account: int
    balance: int = 0
    figures: Figures = field(default_factory=Figures)


@dataclass
class Rows:
    """The rows of a batch of bets, by table."""

    bets: list = field(default_factory=list)
    positions: list = field(default_factory=list)
    bet_events: list = field(default_factory=list)
    accounts: list = field(default_factory=list)
    transfers: list = field(default_factory=list)
    notifications: list = field(default_factory=list)


class Story:
    """Tells bets one after another, and keeps balances, statistics and market figures."""

    def __init__(self, people: list[Person], next_account: int, seed: int = 14) -> None:
        self.people, self.next_account = people, next_account
        self.dice = random.Random(seed)
        self.number = 0
        self.tiles = {"active_bets": 0, "total_bets": 0, "bolts_volume": 0}
        self.noticed: dict[str, int] = {}
        self.rows = Rows()

    def take(self) -> Rows:
        """The rows since the last call."""
        rows, self.rows = self.rows, Rows()
        return rows

    def fresh_id(self, at: int) -> str:
        """A new id for anything but a bet."""
        self.number += 1
        return new_id((1 << 50) + self.number, at)

    def transfer(self, key: str, source: int, target: int, amount: int, kind: str, bet: str | None, at: int) -> None:
        """A transfer in Bolts. The caller changes the balances of users."""
        self.rows.transfers.append((key, self.fresh_id(at), source, target, amount, "bolts", kind, bet, at))

    def grant(self, issuance: int, person: Person, amount: int, at: int, is_sign_up: bool = False) -> None:
        """Bolts for a user: the grant at sign-up, or a gift of an admin."""
        if is_sign_up:
            self.transfer(f"grant:{person.id}", issuance, person.account, amount, "sign_up_grant", None, at)
        else:
            operation = self.fresh_id(at)
            row = (f"admin:{operation}", operation, issuance, person.account, amount, "bolts", "admin_grant", None, at)
            self.rows.transfers.append(row)
        person.balance += amount

    def tell(self, kind: str, creator: Person, acceptor: Person | None, stake: int, at: int) -> None:
        """One bet. The kinds: pending, accepted, awaiting, proposed, resolved, expired, void."""
        self.number += 1
        bet = Bet(self, self.number, kind, creator, acceptor, stake, at)
        bet.stake(creator, 0)
        bet.event(0, "created", "creator")
        if acceptor:
            bet.stake(acceptor, HOUR)
            bet.event(HOUR, "accepted", "acceptor")
            bet.notice(creator, "bet_accepted", HOUR)
        bet.end()
        bet.write()


class Bet:
    """The rows of one bet."""

    def __init__(self, story: Story, number: int, kind: str, creator: Person, acceptor: Person | None, stake: int, at: int):
        self.story, self.number, self.kind, self.at = story, number, kind, at
        self.creator, self.acceptor, self.amount = creator, acceptor, stake
        self.id = new_id(number, at)
        self.side = story.dice.choice("AB")
        # Open bets expire in ten years, so that no deadline passes however old the cached data is.
        is_over = kind in ("resolved", "expired", "void")
        self.expires = at + (2 * DAY if is_over else 3_650 * DAY)
        self.escrow = story.next_account
        story.next_account += 1
        self.held = 0
        self.changed = {"updated_at": at, "status": kind}
        self.payouts: dict[str, int] = {}

    def stake(self, person: Person, after: int) -> None:
        """Moves the stake of a party into the escrow."""
        key = f"stake:{self.id}:{person.id}"
        self.story.transfer(key, person.account, self.escrow, self.amount, "stake", self.id, self.at + after)
        person.balance -= self.amount
        self.held += self.amount

    def empty(self, index: int, person: Person, amount: int, kind: str, at: int) -> None:
        """Moves Bolts from the escrow to a party."""
        self.story.transfer(f"empty:{self.id}:{index}", self.escrow, person.account, amount, kind, self.id, at)
        person.balance += amount
        self.held -= amount

    def event(self, after: int, kind: str, by: str, detail: str | None = None) -> None:
        """A row of the bet's history."""
        self.story.rows.bet_events.append((self.number, self.at + after, kind, by, detail))

    def notice(self, person: Person, kind: str, after: int) -> None:
        """A notification, until the user has as many as the server keeps."""
        count = self.story.noticed.get(person.id, 0)
        if count < 200:
            self.story.noticed[person.id] = count + 1
            params = f'{{"title":"{self.title()}","stake":{self.amount},"currency":"bolts"}}'
            at = self.at + after
            self.story.rows.notifications.append((self.story.fresh_id(at), person.id, kind, params, self.id, at))

    def title(self) -> str:
        """The title, which differs from bet to bet."""
        n = self.number
        return f"Will {TEAMS[n % 10]} {n} win {EVENTS[n // 10 % 8]}?"

    def description(self) -> str:
        """The description, with the words for searches."""
        extra = (f" A {MEDIUM} counts." if self.number % 100 == 7 else "") + (
            f" Even by {RARE}." if self.number % 10_000 == 77 else "")
        return f"Settled by the first official report that is {COMMON}. A postponement makes it void.{extra}"

    def propose(self) -> None:
        """The creator proposes that option A came true."""
        at = self.at + DAY
        self.event(DAY, "proposed", "creator", "A")
        self.changed |= {"updated_at": at, "last_proposed_at": at}

    def end(self) -> None:
        """Brings the bet from its acceptance to the state of its kind."""
        match self.kind:
            case "pending":
                self.wait(self.expires, "expire")
            case "accepted":
                self.changed["updated_at"] = self.at + HOUR
                self.wait(self.expires, "due")
            case "awaiting":
                self.event(2 * HOUR, "ended_early", "creator")
                self.changed |= {"updated_at": self.at + 2 * HOUR, "status": "awaiting_resolution"}
                self.wait(self.expires + (LAPSE - REMINDER) * 1_000_000, "remind")
            case "proposed":
                self.propose()
                proposal = {"proposal_id": self.story.fresh_id(self.at), "proposed_outcome": "A"}
                proposal |= {"proposed_by": self.creator.id, "proposed_at": self.at + DAY}
                self.changed |= proposal | {"status": "awaiting_resolution"}
                self.wait(self.expires + (STAND - REMINDER) * 1_000_000, "remind")
            case "resolved":
                self.resolve()
            case "expired" | "void":
                self.cancel()

    def wait(self, at: int, kind: str) -> None:
        """The next step of the clock."""
        self.changed |= {"next_deadline_at": at, "next_deadline_kind": kind}

    def resolve(self) -> None:
        """Both parties agree that option A came true."""
        self.propose()
        at = self.at + DAY + HOUR
        self.event(DAY + HOUR, "agreed", "acceptor", "A")
        winner, loser = (self.creator, self.acceptor) if self.side == "A" else (self.acceptor, self.creator)
        self.empty(0, winner, 2 * self.amount, "payout", at)
        self.payouts = {winner.id: 2 * self.amount, loser.id: 0}
        ended = {"settled_at": at, "settled_by": "agreement", "winning_side": "A"}
        self.changed |= ended | {"updated_at": at}
        won, lost = winner.figures, loser.figures
        won.wins, won.winnings, won.best_win = won.wins + 1, won.winnings + self.amount, max(won.best_win, self.amount)
        lost.losses, lost.losings = lost.losses + 1, lost.losings + self.amount
        lost.biggest_loss = max(lost.biggest_loss, self.amount)

    def cancel(self) -> None:
        """The stakes go back: nobody accepted the bet, or both parties agreed on 'void'."""
        at = self.at + 2 * DAY
        for index, person in enumerate(filter(None, (self.creator, self.acceptor))):
            self.empty(index, person, self.amount, "refund", at)
            self.payouts[person.id] = self.amount
        ended = {"settled_at": at, "updated_at": at, "status": "cancelled"}
        if self.kind == "void":
            self.event(DAY, "proposed", "creator", "void")
            self.event(2 * DAY, "agreed", "acceptor", "void")
            ended |= {"cancel_reason": "void", "settled_by": "agreement", "last_proposed_at": self.at + DAY}
        else:
            self.event(2 * DAY, "expired", "clock")
            ended["cancel_reason"] = "expired"
        self.changed |= ended

    def write(self) -> None:
        """Adds the rows of the bet, its positions and its escrow, and counts the bet."""
        rows, other = self.story.rows, "B" if self.side == "A" else "A"
        for person, side in ((self.creator, self.side), (self.acceptor, other)):
            if person:
                rows.positions.append((self.number, side, person.id, self.amount, self.payouts.get(person.id)))
                counts = self.kind != "expired"
                person.figures.total_bets += counts
                person.figures.active_bets += self.kind in ("pending", "accepted", "awaiting", "proposed")
        rows.accounts.append((self.escrow, "escrow", self.id, "bolts", self.held))
        values = {
            "seq": self.number, "id": self.id, "creator_id": self.creator.id, "creator_side": self.side,
            "title": self.title(), "description": self.description(), "option_a": "Yes", "option_b": "No",
            "stake": self.amount, "currency": "bolts", "category": CATEGORIES[self.number % 8],
            "method": "Mutual Agreement", "expires_at": self.expires, "stand_seconds": STAND, "lapse_seconds": LAPSE,
            "dispute_lapse_seconds": DISPUTE_LAPSE, "reminder_seconds": REMINDER, "created_at": self.at,
            "acceptor_id": self.acceptor and self.acceptor.id, "accepted_at": self.at + HOUR if self.acceptor else None,
            "rejection_count": 0, "due_told": 0,
        } | self.changed
        if "settled_at" not in values:
            values["room"] = " " * max(0, STATE_LENGTH - sum(length(values.get(column)) for column in STATE_COLUMNS))
        rows.bets.append([values.get(column) for column in BET_COLUMNS])
        tiles = self.story.tiles
        tiles["active_bets"] += self.kind in ("pending", "accepted")
        tiles["total_bets"] += 1
        tiles["bolts_volume"] += self.amount * (2 if self.acceptor else 1)
