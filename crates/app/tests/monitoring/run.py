"""Checks the examples for Prometheus and Grafana with Debian's promtool: `just monitoring-test`.

Each alert of docs/monitoring/alerts.yml must fire in one case of `cases.py` at least, with its labels and its text, and must not
fire in another. Each expression of docs/monitoring/grafana.json must be one that Prometheus reads.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from cases import CASES, Fires, Quiet

ROOT = Path(__file__).resolve().parents[4]
ALERTS = ROOT / "docs" / "monitoring" / "alerts.yml"
DASHBOARD = ROOT / "docs" / "monitoring" / "grafana.json"


def need(condition, what):
    if not condition:
        sys.exit(f"FAILS: {what}")


def promtool(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    need(done.returncode == 0, f"promtool {' '.join(map(str, words[:2]))}: {done.stdout}{done.stderr}")
    return done.stdout


def alerts():
    """The severity and the section of each alert."""
    rules = re.split(r"^\s*- alert: ", ALERTS.read_text(), flags=re.M)[1:]
    part = lambda rule, name: re.search(rf"{name}: ([^}}\s]+)", rule)[1]
    return {rule.split()[0]: {name: part(rule, name) for name in ("severity", "runbook")} for rule in rules}


def case(name, rule, expected):
    """A test of promtool. JSON is YAML too."""
    found = []
    if isinstance(expected, Fires):
        found = [{"exp_labels": expected.labels | {"severity": rule["severity"]},
                  "exp_annotations": {"summary": expected.summary, "runbook": rule["runbook"]}}]
    series = [{"series": series, "values": values} for series, values in expected.series.items()]
    looks = [{"alertname": name, "eval_time": f"{expected.at}m", "exp_alerts": found}]
    return {"name": name, "interval": "1m", "input_series": series, "alert_rule_test": looks}


def expressions():
    """The expressions of the dashboard."""
    def of(panel):
        yield from (target["expr"] for target in panel.get("targets", []))
        for inner in panel.get("panels", []):
            yield from of(inner)

    return list(of(json.loads(DASHBOARD.read_text())))


def main(program, folder):
    rules = alerts()
    said = promtool(program, "check", "rules", ALERTS)
    need(f"{len(rules)} rules found" in said, said)
    print(f"ok: promtool check rules: {len(rules)} alerts")

    need(set(CASES) == set(rules), f"cases.py and alerts.yml differ: {set(CASES) ^ set(rules)}")
    for name, cases in CASES.items():
        need({type(one) for one in cases} == {Fires, Quiet}, f"{name} needs a case in which it fires, and one in which it does not")
        tests = {"rule_files": [str(ALERTS)], "evaluation_interval": "1m",
                 "tests": [case(name, rules[name], expected) for expected in cases]}
        (file := folder / f"{name}.json").write_text(json.dumps(tests))
        promtool(program, "test", "rules", file)
        print(f"ok: promtool test rules: {name}, {len(cases)} cases")

    shown = expressions()
    records = [{"record": f"shown:{number}", "expr": text} for number, text in enumerate(shown)]
    (file := folder / "dashboard.json").write_text(json.dumps({"groups": [{"name": "dashboard", "rules": records}]}))
    promtool(program, "check", "rules", file)
    print(f"ok: {len(shown)} expressions of the dashboard")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as FOLDER:
        main(sys.argv[1], Path(FOLDER))
