"""A backup taken under load: the server goes on, and what was answered before it began is in what it restores."""

import contextlib
import copy
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from sayso.store import FILE_NAME
from tests.cli.conftest import Machine
from tests.faults.audit import audit
from tests.faults.gate import Gate
from tests.faults.load import Asked, Load, save_questions
from tests.faults.served import Served, ServedDatabase
from tests.faults.wire import Wire
from tests.postgres.servers import PostgresServer

CLIENTS, BEFORE, MEANWHILE = 4, 300, 20


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    for folder in ("tmp", "restored"):
        (tmp_path / folder).mkdir()
    return Machine(home=tmp_path)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(folder=tmp_path)
    yield server
    server.end()


@contextlib.contextmanager
def loaded(served: Served) -> Iterator[tuple[Load, list[Asked]]]:
    """A server under load, and what its clients had been told of some time before now."""
    served.start()
    served.until_ready()
    save_questions(served.port)
    gate = Gate(served.port)
    gate.open(served.port)
    with Load(gate, 4, CLIENTS) as load:
        load.until_told(BEFORE)
        yield load, copy.deepcopy(load.runs)


def check_restored(restored: Served, before: Sequence[Asked]) -> None:
    """What was told before stands, when the restored store is served."""
    restored.start()
    restored.until_ready()
    try:
        with closing(Wire(restored.port)) as wire:
            assert sum(stands(wire, run) for run in before) > BEFORE / 10
    finally:
        restored.end()


@pytest.mark.slow
def test_a_backup_under_load_restores_all_that_was_answered_before(served: Served, machine: Machine) -> None:
    file, restored = machine.home / "copy.db", Served(folder=machine.home / "restored")
    with loaded(served) as (load, before):
        made = machine.said("backup", str(file), *served.where)
        checked = machine.said("rebuild", *served.where)
        load.until_told(MEANWHILE)
    served.stop()
    restored.store.mkdir()
    file.rename(restored.store / FILE_NAME)
    assert made["bytes"] == (restored.store / FILE_NAME).stat().st_size
    assert checked["looked_at"] > 0
    assert checked["changed"] == checked["recounted"] == checked["damaged"] == []
    assert audit(restored.store).events < audit(served.store).events
    assert machine.sayso("rebuild", "--check", *restored.where).returncode == 0
    check_restored(restored, before)


GAPS = "select count(*) from feeds f where position <> (select count(*) from events e where e.playbook = f.playbook)"


@pytest.mark.slow
def test_a_dump_of_postgresql_under_load_restores_too(machine: Machine, postgres18: PostgresServer) -> None:
    """With PostgreSQL's own tools, as the command tells; and a rebuild beside the server finds nothing to do."""
    url, empty, dump = postgres18.fresh(), postgres18.fresh(), postgres18.data / "copy.dump"
    served = ServedDatabase(folder=machine.home, database=url)
    try:
        with loaded(served) as (load, before):
            postgres18.program("pg_dump", "--format=custom", f"--file={dump}", f"--dbname={url}")
            checked = machine.said("rebuild", *served.where)
            load.until_told(MEANWHILE)
    finally:
        served.end()
    postgres18.program("pg_restore", "--no-owner", "--exit-on-error", f"--dbname={empty}", dump)
    assert checked["looked_at"] > 0
    assert checked["changed"] == checked["recounted"] == checked["damaged"] == []
    assert postgres18.sql(GAPS, empty.rpartition("/")[2]) == [["0"]]
    restored = ServedDatabase(folder=machine.home / "restored", database=empty)
    assert machine.sayso("rebuild", "--check", *restored.where).returncode == 0
    check_restored(restored, before)


def stands(wire: Wire, run: Asked) -> bool:
    """Whether a run was answered for before the backup; what was told of it is so in the restored store."""
    if not run.is_told:
        return False
    shown = wire.get(f"/runs/{run.run_id}")
    if run.answer_told is not None:
        assert (shown["status"], shown["output"]) == ("succeeded", run.answer_told["answer"])
        assert shown["record"]["answered_at"] == run.answer_told["answered_at"]
    if run.cancel_told is not None:
        assert shown["finished_at"] == run.cancel_told["finished_at"]
    return True
