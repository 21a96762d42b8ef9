"""``python -m bench NAME``: run a benchmark, and end with 1 if a ratio is under its floor."""

import argparse
import asyncio
import sys
from pathlib import Path

import uvloop
from rich.console import Console

from bench import picture
from bench.benchmarks import BENCHMARKS, POSTGRES_ONLY
from bench.conditions import Conditions, tell
from bench.grounds import postgres, sqlite
from bench.report import Report, report

RESULTS = Path(__file__).parent / "results"
ROUNDS = 3
WIDTH = 150
GROUNDS = {"sqlite": sqlite.ground, "postgres": postgres.ground}


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument("name", choices=sorted(BENCHMARKS), help="the benchmark")
    options.add_argument("--store", choices=sorted(GROUNDS), default="sqlite")
    options.add_argument("--database", metavar="URL", help="a PostgreSQL server on this machine, as its superuser")
    options.add_argument("--results", type=Path, default=RESULTS, help="the folder for the JSON and the picture")
    options.add_argument("--rounds", type=int, default=ROUNDS, help="at least three, to be believed")
    options.add_argument("--quick", action="store_true", help="small sizes: shows that it works, judges nothing")
    given = options.parse_args()
    if given.store != "postgres" and (given.database or given.name in POSTGRES_ONLY):
        options.error(f"{'--database' if given.database else given.name} is for PostgreSQL: say --store postgres")
    return given


async def _ran(given: argparse.Namespace) -> Report:
    async with GROUNDS[given.store](given.database) as ground:
        conditions = Conditions(ground=ground, rounds=given.rounds, quick=given.quick)
        rounds = []
        async for figures in BENCHMARKS[given.name](conditions):
            rounds.append(figures)
            tell(f"{given.name}: round {len(rounds)} is over")
        return report(given.name, given.store, rounds, await ground.facts(), quick=given.quick)


def main() -> int:
    """The exit code."""
    given = _options()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(_ran(given))
    found.show(Console(width=WIDTH))
    path = found.write(given.results)
    if picture.can_draw():
        picture.draw(found, path.with_suffix(".png"))
    else:
        tell("no picture: matplotlib is not installed (the extra `bench` has it)")
    return found.exit_code


if __name__ == "__main__":
    sys.exit(main())
