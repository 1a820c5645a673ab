"""For each alert: series with which it fires, and series with which it does not, at the very limits of its rule.

A series has values in Prometheus's notation, one a minute: `0x10` is eleven times 0, and `0+1x10` is 0, 1, … 10. A case has the
time at which the alert is looked at, in minutes.
"""

from dataclasses import dataclass, field


@dataclass
class Fires:
    series: dict
    at: int
    summary: str
    labels: dict = field(default_factory=dict)


@dataclass
class Quiet:
    series: dict
    at: int


def requests(errors, others):
    """Requests a minute that ended with an error of the server, and others. Errors of the client are no errors of the server."""
    return {'bolts_http_requests_total{route="/api/bets",status="503"}': f"0+{errors}x60",
            'bolts_http_requests_total{route="/api/bets",status="200"}': f"0+{others - 10}x60",
            'bolts_http_requests_total{route="/api/bets",status="404"}': "0+10x60"}


def checks(status):
    """Checks of two proxies, each every second."""
    return {f'bolts_http_requests_total{{route="/readyz",status="{status}"}}': "0+120x60"}


def slow(above, below):
    """Requests a minute that take more than a second, and less than half a second."""
    bucket = 'bolts_http_request_seconds_bucket{{route="{}",le="{}"}}'.format
    of = lambda route, above, below: {
        bucket(route, limit): f"0+{count}x60"
        for limit, count in [("0.5", below), ("1", below), ("2", above + below), ("+Inf", above + below)]}
    return of("/api/bets", above, below) | of("/readyz", 0, 6_000)


VIOLATIONS = 'bolts_audit_violations{check="escrow"}'
UNREADABLE = 'bolts_deposit_lists_total{result="unreadable"}'
MAILS = 'bolts_deliveries_oldest_seconds{channel="email"}'
HOOKS = 'bolts_deliveries_oldest_seconds{channel="webhook"}'
RELAY = 'bolts_deliveries_resting_servers{channel="email"}'
RECEIVERS = 'bolts_deliveries_resting_servers{channel="webhook"}'
SENT = 'bolts_deliveries_total{channel="email",outcome="sent"}'
LATER = 'bolts_deliveries_total{channel="email",outcome="later"}'
UNAVAILABLE = 'bolts_deliveries_total{channel="email",outcome="unavailable"}'
GONE = 'bolts_deliveries_total{channel="email",outcome="gone"}'
HOOKS_LATER = 'bolts_deliveries_total{channel="webhook",outcome="later"}'
WORKER = 'bolts_worker_failures_total{worker="sweep"}'
TIDY = 'bolts_worker_failures_total{worker="tidying up"}'
REFUNDS = 'bolts_worker_failures_total{worker="the search for refunds to check"}'
REFUND = 'bolts_worker_failures_total{worker="the check of a refunded withdrawal"}'

CASES = {
    "BoltsAuditFails": [
        Fires({VIOLATIONS: "0 0 1"}, 2, "The ledger breaks the rule 'escrow'", {"check": "escrow"}),
        Quiet({VIOLATIONS: "0x10"}, 10),
    ],
    "BoltsAuditDoesNotRun": [
        Fires({"bolts_audits_total": "5+0x600"}, 185, "No audit has finished for three hours"),
        Fires({"bolts_audits_total": "1+0x60 2+0x600"}, 247, "No audit has finished for three hours"),
        Quiet({"bolts_audits_total": "5+0x600"}, 184),
        # Every hour, and a minute later each time.
        Quiet({"bolts_audits_total": "1+0x60 2+0x60 3+0x60 4+0x60 5+0x60"}, 300),
        # A restart every two hours. Each start begins with an audit.
        Quiet({"bolts_audits_total": "1+0x59 2+0x59 1+0x59 2+0x59 1+0x59 2+0x59"}, 350),
    ],
    "BoltsSolvencyBreach": [
        Fires({"bolts_solvency_suspicion": "0 1 2"}, 2, "The provider holds fewer sats than the users own. Withdrawals are paused"),
        Quiet({"bolts_solvency_suspicion": "0 1 1"}, 2),
    ],
    "BoltsSolvencySuspicion": [
        Fires({"bolts_solvency_suspicion": "0 1 1 1"}, 3, "Checks keep finding sats missing at the provider"),
        Quiet({"bolts_solvency_suspicion": "0 1 1 1"}, 2),
        Quiet({"bolts_solvency_suspicion": "0 1 0 1"}, 3),
        Quiet({"bolts_solvency_suspicion": "2x10"}, 10),
    ],
    "BoltsWithdrawalsInDoubt": [
        Fires({"bolts_withdrawals_in_doubt": "0 1"}, 1, "The result of 1 withdrawals has been open for an hour"),
        Quiet({"bolts_withdrawals_in_doubt": "0x10"}, 10),
    ],
    "BoltsWithdrawalsPaused": [
        Fires({"bolts_withdrawals_paused": "1x20"}, 15, "Withdrawals are paused. `bolts withdrawals list` says why"),
        Quiet({"bolts_withdrawals_paused": "1x20"}, 14),
        Quiet({"bolts_withdrawals_paused": "0x20"}, 20),
    ],
    "BoltsWithdrawalsUnchecked": [
        Fires({"bolts_withdrawals_unchecked": "1x10"}, 5, "A server sends nothing, because no check of the provider was clean"),
        Quiet({"bolts_withdrawals_unchecked": "1x10"}, 4),
        # Starts with a clean check.
        Quiet({"bolts_withdrawals_unchecked": "1 1 0x10 1 0x10"}, 13),
    ],
    "BoltsWithdrawalsHeld": [
        Fires({"bolts_withdrawals_held_oldest_seconds": "0+60x20"}, 16, "A withdrawal has waited for more than 15 minutes to be sent"),
        Quiet({"bolts_withdrawals_held_oldest_seconds": "0+60x20"}, 15),
        Quiet({"bolts_withdrawals_held_oldest_seconds": "0x20"}, 20),
        Quiet({"bolts_withdrawals_held_oldest_seconds": "0+60x20", "bolts_withdrawals_paused": "1x20"}, 20),
    ],
    "BoltsRefundStillPending": [
        Fires({"bolts_withdrawals_still_pending": "1x20"}, 15, "1 refunded withdrawals are still pending at the provider"),
        Quiet({"bolts_withdrawals_still_pending": "1x20"}, 14),
        Quiet({"bolts_withdrawals_still_pending": "0x20"}, 20),
    ],
    "BoltsTotalCapReached": [
        Fires({"bolts_withdrawals_refused_by_total_cap_total": "0x10 1x10"}, 12, "The cap on all withdrawals refuses withdrawals"),
        Quiet({"bolts_withdrawals_refused_by_total_cap_total": "0x10 1x30"}, 30),
    ],
    "BoltsDepositsUnanswered": [
        Fires({"bolts_deposits_unanswered": "0 1"}, 1, "The provider does not say whether 1 expired deposits were paid"),
        Quiet({"bolts_deposits_unanswered": "0x10"}, 10),
    ],
    "BoltsLateDeposit": [
        Fires({"bolts_late_deposits_total": "0x10 1x1500"}, 12, "A payment arrived for an invoice of a deleted user"),
        Fires({"bolts_late_deposits_total": "0x10 1x1500"}, 1_400, "A payment arrived for an invoice of a deleted user"),
        Quiet({"bolts_late_deposits_total": "0x10 1x1500"}, 1_460),
        Quiet({"bolts_late_deposits_total": "2x60"}, 30),
    ],
    "BoltsProviderDown": [
        Fires({"bolts_withdrawals_stopped": "1x10"}, 5, "The Lightning provider does not answer. New withdrawals wait"),
        Fires({"bolts_solvency_unanswered_total": "0+0.8x60"}, 30, "The Lightning provider does not answer. New withdrawals wait"),
        Quiet({"bolts_withdrawals_stopped": "1x10"}, 4),
        # One check of four a minute, now and then.
        Quiet({"bolts_solvency_unanswered_total": "0x10 1x10 2x10 3x10", "bolts_withdrawals_stopped": "0x40"}, 40),
        Quiet({"bolts_solvency_unanswered_total": "0+0.5x60"}, 30),
        # Six checks without an answer in a minute, long ago.
        Quiet({"bolts_solvency_unanswered_total": "0x5 6x30"}, 20),
    ],
    "BoltsDepositListUnreadable": [
        Fires({UNREADABLE: "0+1x30"}, 20, "The provider's list of paid invoices cannot be read, so deposits are credited late",
              {"result": "unreadable"}),
        Fires({UNREADABLE: "0x5 6x20"}, 10, "The provider's list of paid invoices cannot be read, so deposits are credited late",
              {"result": "unreadable"}),
        Quiet({UNREADABLE: "0x5 6x30"}, 24),
        Quiet({UNREADABLE: "0x5 4x20", 'bolts_deposit_lists_total{result="read"}': "0+4x30"}, 20),
    ],
    "BoltsDown": [
        Fires({'up{job="bolts",instance="a:9090"}': "1 0 0"}, 2, "A server does not answer: a:9090",
              {"job": "bolts", "instance": "a:9090"}),
        Quiet({'up{job="bolts",instance="a:9090"}': "1 0 0"}, 1),
        Quiet({'up{job="bolts",instance="a:9090"}': "1 0 1", 'up{job="other",instance="b:9100"}': "0x10"}, 2),
    ],
    "BoltsErrors": [
        Fires(requests(errors=6, others=94), 30, "More than 5 % of the answers are errors of the server"),
        Fires(requests(errors=6, others=94), 6, "More than 5 % of the answers are errors of the server"),
        Fires(requests(errors=6, others=94) | checks(200), 30, "More than 5 % of the answers are errors of the server"),
        Quiet(requests(errors=0, others=10) | checks(503), 30),
        Quiet(requests(errors=6, others=94), 5),
        Quiet(requests(errors=4, others=96), 30),
        Quiet(requests(errors=0, others=10), 30),
    ],
    "BoltsSlow": [
        Fires(slow(above=2, below=98), 30, "One of 100 requests takes more than a second"),
        Quiet(slow(above=0, below=100), 30),
        Fires(slow(above=2, below=98), 11, "One of 100 requests takes more than a second"),
        Quiet(slow(above=2, below=98), 10),
    ],
    "BoltsQueueFull": [
        Fires({"bolts_write_refused_total": "0x5 1x5"}, 7, "The queue of jobs for the database is full, and requests get 503"),
        Quiet({"bolts_write_refused_total": "0x5 1x20"}, 15),
    ],
    "BoltsWorkerFails": [
        Fires({WORKER: "0+1x30"}, 15, "The worker sweep fails again and again", {"worker": "sweep"}),
        Fires({WORKER: "0x5 4x25"}, 10, "The worker sweep fails again and again", {"worker": "sweep"}),
        Quiet({WORKER: "0x5 2x25"}, 10),
        Quiet({WORKER: "0x5 4x30"}, 24),
    ],
    "BoltsSlowWorkerFails": [
        Fires({TIDY: "0x60 1x60 2x60"}, 125, "The worker tidying up fails again and again", {"worker": "tidying up"}),
        Fires({REFUNDS: "0x12 1x12 2x60"}, 30, "The worker the search for refunds to check fails again and again",
              {"worker": "the search for refunds to check"}),
        Fires({REFUND: "0x12 2x60"}, 30, "The worker the check of a refunded withdrawal fails again and again",
              {"worker": "the check of a refunded withdrawal"}),
        Quiet({TIDY: "0x60 1x120"}, 170),
        Quiet({TIDY: "0x60 1x60 2x240"}, 310),
        # An outage of some seconds, which many rounds of a quick worker notice.
        Quiet({WORKER: "0x60 9x60"}, 100),
    ],
    "BoltsDisputesWait": [
        Fires({"bolts_disputes_unruled_over_3_days": "0 1"}, 1, "1 disputes have waited for a ruling for more than 3 days"),
        Quiet({"bolts_disputes_unruled_over_3_days": "0x10", "bolts_disputes_unruled": "9x10"}, 10),
    ],
    "BoltsDeliveriesWait": [
        Quiet({MAILS: "0+60x30"}, 20),
        Fires({MAILS: "0+60x30"}, 21, "Deliveries by email have waited for more than 15 minutes", {"channel": "email"}),
        Fires({HOOKS: "0+60x30"}, 21, "Deliveries by webhook have waited for more than 15 minutes", {"channel": "webhook"}),
        # Each of two outages of less than 15 minutes.
        Quiet({MAILS: "0+60x14 0+60x14"}, 29),
        # The mails of a longer outage go out.
        Quiet({MAILS: "0+60x17 0x10"}, 21),
    ],
    "BoltsRelayDown": [
        Fires({RELAY: "0 1x20"}, 6, "The relay for mails does not answer", {"channel": "email"}),
        Quiet({RELAY: "0 1x20"}, 5),
        # The servers of users may be away for as long as they like.
        Quiet({RELAY: "0x30", RECEIVERS: "3x30"}, 30),
    ],
    "BoltsNoMailIsSent": [
        Fires({LATER: "0+1x90", SENT: "0x90"}, 11, "The relay has taken none of the mails of the last hour"),
        Quiet({LATER: "0+1x90", SENT: "0x90"}, 10),
        Fires({LATER: "0x90", UNAVAILABLE: "0+1x90", SENT: "0x90"}, 30, "The relay has taken none of the mails of the last hour"),
        # The last mail was sent long ago.
        Fires({LATER: "0+1x90", SENT: "0x9 1x80"}, 80, "The relay has taken none of the mails of the last hour"),
        Quiet({LATER: "0+1x90", SENT: "0x40 1x49"}, 60),
        # A single mail.
        Quiet({LATER: "0 8x60", SENT: "0x61"}, 60),
        Quiet({LATER: "0x60", GONE: "0+1x60", SENT: "0x60", HOOKS_LATER: "0+9x60"}, 60),
    ],
}
