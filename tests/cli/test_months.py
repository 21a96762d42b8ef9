"""``sayso months``: what it lists, drops and refuses."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.conftest import Machine
from tests.postgres.servers import PostgresServer


@pytest.fixture
def database(postgres15: PostgresServer, machine: Machine) -> str:
    url = postgres15.fresh()
    machine.said("migrate", "--database", url)
    return url


def test_months_are_listed(machine: Machine, database: str) -> None:
    done = machine.sayso("months", "--database", database)
    assert done.stdout.splitlines()[0].startswith(f"{datetime.now(UTC):%Y-%m}\t-\t")
    listed = machine.said("months", "--database", database)["months"]
    assert [one["month"] for one in listed] == [line.split("\t")[0] for line in done.stdout.splitlines()]


def test_a_month_is_dropped_with_yes(machine: Machine, database: str) -> None:
    refused = machine.sayso("months", "--drop", "2020-01", "--database", database)
    assert refused.returncode == 1
    assert "for good" in refused.stderr
    assert "--yes" in refused.stderr
    done = machine.sayso("months", "--drop", "2020-01", "--yes", "--database", database)
    assert done.stdout == "2020-01 is dropped: 0 streams are gone, 0 stay.\n"
    assert machine.said("months", "--drop", "2020-01", "--yes", "--database", database)["gone"] == 0


def test_a_month_that_is_not_over_is_refused(machine: Machine, database: str) -> None:
    refused = machine.sayso("months", "--drop", f"{datetime.now(UTC):%Y-%m}", "--yes", "--database", database)
    assert refused.returncode == 1
    assert "is too young: a month can be dropped once the month after it is over too." in refused.stderr


def test_what_is_no_month_is_told_so(machine: Machine, database: str) -> None:
    refused = machine.sayso("months", "--drop", "January", "--yes", "--database", database)
    assert refused.returncode == 2
    assert "A month is written as in 2027-01." in refused.stderr


def test_a_store_in_a_folder_has_no_months(machine: Machine, data: Path) -> None:
    machine.said("migrate", "--data", str(data))
    refused = machine.sayso("months", "--data", str(data))
    assert refused.returncode == 1
    assert "only those on PostgreSQL are" in refused.stderr
