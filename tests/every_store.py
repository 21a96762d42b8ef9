"""Runs the suites that do not care for the store on every other one: python -m tests.every_store [--short] [STORE...]

A store is such as ``postgres15-4``: its name in `tests.stores`, and how many shards. ``--short`` runs the cases on each
of them, and the tests of the app and of HTTP on the one that has most of what may go wrong.
"""

import argparse
import os
import subprocess
import sys
import time

STORES = ("sqlite-4", "postgres15-1", "postgres15-4", "postgres18-4", "spread-sqlite-4", "spread-postgres-4")
WHOLE = "postgres15-4"
CASES = ("-m", "tests.cases.run", "tests/cases")
# Each suite by what its line is called.
SUITES = {
    "tests": ("-m", "pytest", "tests/app", "tests/http"),
    "cases": CASES,
    "cases over http": (*CASES, "--over", "http"),
}


def main() -> int:
    """Run what the command line names, a line a suite; 1 if one failed."""
    options = argparse.ArgumentParser(prog="tests.every_store", description="Run the suites on every store.")
    options.add_argument("--short", action="store_true", help="the tests on one store, the cases on all")
    options.add_argument("stores", nargs="*", default=STORES, metavar="STORE", help=", ".join(STORES))
    given = options.parse_args()
    runs = [(store, name) for store in given.stores for name in SUITES]
    if given.short:
        runs = [(store, name) for store, name in runs if store == WHOLE or name == "cases"]
    passed = [_passes(store, name) for store, name in runs]
    return int(not all(passed))


def _passes(store: str, suite: str) -> bool:
    """Run one suite on one store, and print what it came to; all of what it printed if it failed."""
    name, shards = store.rsplit("-", 1)
    began = time.monotonic()
    ended = subprocess.run(
        [sys.executable, *SUITES[suite]],
        env=os.environ | {"SAYSO_TEST_STORE": name, "SAYSO_TEST_SHARDS": shards},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    lines = ended.stdout.splitlines()
    told = lines if ended.returncode else [line for line in lines if line.startswith("SKIPPED")]
    took = f"{time.monotonic() - began:.0f} s"
    print(*told, f"{store} {suite}: {'FAILED, ' if ended.returncode else ''}{lines[-1]} ({took})", sep="\n", flush=True)
    return ended.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
