"""Every benchmark works: its short form runs on each store, its own checks hold, and it leaves its figures behind."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench import picture
from bench.benchmarks import BENCHMARKS, POSTGRES_ONLY
from tests.postgres.servers import PostgresServer

ROOT = Path(__file__).parents[2]
SECONDS = 240


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BENCHMARKS.keys() - POSTGRES_ONLY))
def test_a_benchmark_runs_on_sqlite(name: str, tmp_path: Path) -> None:
    check_ran(name, "sqlite", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BENCHMARKS))
def test_a_benchmark_runs_on_postgres(name: str, tmp_path: Path, postgres15: PostgresServer) -> None:
    check_ran(name, "postgres", tmp_path, "--database", postgres15.url())


def check_ran(name: str, store: str, folder: Path, *more: str) -> None:
    """Run the short form of a benchmark: it ends well, and each figure has a value for its one round."""
    command = [sys.executable, "-m", "bench", name, "--store", store, "--quick", "--rounds", "1"]
    ended = subprocess.run(
        [*command, "--results", str(folder), *more],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert f"{name} on {store} (quick: not judged)" in ended.stdout
    written = json.loads((folder / f"{name}-{store}-quick.json").read_text())
    assert all(len(figure["rounds"]) == 1 for figure in written["figures"].values())
    assert (folder / f"{name}-{store}-quick.png").exists() == picture.can_draw()
    assert ("no picture" in ended.stderr) != picture.can_draw()


def test_what_only_postgres_shows_is_refused_elsewhere_in_words() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "bench", "processes"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 2
    assert "processes is for PostgreSQL: say --store postgres" in ended.stderr
