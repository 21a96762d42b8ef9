"""Runs the cases of a folder: python -m tests.cases.run DIR [--over http] [--mutate] [--only TEXT]

A line a failure, then what is not built, then how many passed and failed. Exit 1 if one failed, or if with
``--mutate`` fewer than 98 of 100 changed leaves made their case fail; 2 if the folder cannot be run.
"""

import argparse
import asyncio
import sys
from pathlib import Path

from tests.cases.case import BadCases, Case, read_cases
from tests.cases.stage import stages
from tests.cases.verdict import BAR, Mutations, Verdicts, judge_all, mutate_all


def main(argv: list[str] | None = None) -> int:
    """Run the cases that the command line names, and print how they came out."""
    options = _options().parse_args(argv)
    try:
        cases = read_cases(options.folder, only=options.only)
    except BadCases as fault:
        print(fault, file=sys.stderr)
        return 2
    return asyncio.run(_run(cases, options.over or None, options.mutate))


async def _run(cases: list[Case], over: str | None, mutate: bool) -> int:
    async with stages(over) as made:
        verdicts = await judge_all(cases, made)
        print("\n".join(report(verdicts)), flush=True)
        good = not verdicts.failed
        if mutate:
            mutations = await mutate_all(verdicts.passed, made)
            print("\n".join(report_mutations(mutations)))
            good = good and mutations.percent >= BAR
    return 0 if good else 1


def report(verdicts: Verdicts) -> list[str]:
    """The lines of a run; the last says how many passed and failed."""
    failures = [f"failed {one.case.id}: {'; '.join(one.differences)}" for one in verdicts.failed]
    not_built = [f"not built {area} {count}" for area, count in sorted(verdicts.not_built.items())]
    return [*failures, *not_built, f"{len(verdicts.passed)} passed, {len(verdicts.failed)} failed"]


def report_mutations(mutations: Mutations) -> list[str]:
    """The lines of the mutations; the last says how many of the changed leaves made their case fail."""
    survivors = [f"survived {one}" for one in mutations.survivors]
    apart = [f"counted apart {name!r} {count}" for name, count in sorted(mutations.apart.items())]
    changed = mutations.failed + len(mutations.survivors)
    return [*survivors, *apart, f"{mutations.failed} of {changed} changed leaves failed ({mutations.percent:.1f} %)"]


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tests.cases.run", description="Run the cases of a folder.")
    parser.add_argument("folder", type=Path, help="the folder with the files of cases (*.jsonl)")
    parser.add_argument("--over", choices=["http", ""], default="", help="go through this door (default: none)")
    parser.add_argument("--mutate", action="store_true", help="also change each leaf that a passed case expects")
    parser.add_argument("--only", default="", metavar="TEXT", help="only cases whose id has this text")
    return parser


if __name__ == "__main__":
    sys.exit(main())
