"""Processes on one PostgreSQL database: servers, a worker, commands beside them, and the database going away."""

import json
import signal
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.cli.conftest import EXAMPLES, INPUT, SECONDS, Machine, Serving
from tests.postgres.fixtures import binaries
from tests.postgres.pgbouncer import PgBouncer
from tests.postgres.servers import PASSWORD, USER, PostgresServer

BRIEF = "approve-campaign-brief"


@pytest.fixture
def database(postgres15: PostgresServer) -> str:
    return postgres15.fresh()


@pytest.fixture
def own() -> Iterator[PostgresServer]:
    """A server that a test may stop."""
    with PostgresServer(binaries("postgres15")) as server:
        yield server


def key(machine: Machine, database: str) -> dict[str, str]:
    made = machine.said("keys", "create", "--org", "acme", "--database", database)
    return {"authorization": f"Bearer {made['key']}"}


def ask(machine: Machine, database: str) -> str:
    """Save the question and run it at the store itself; the run."""
    at_store = ["--database", database, "--org", "acme"]
    machine.said("save", str(EXAMPLES / f"{BRIEF}.md"), *at_store)
    return str(machine.said("run", BRIEF, "--input", json.dumps(INPUT), *at_store)["run_id"])


def no_secret(said: str) -> None:
    assert PASSWORD not in said
    assert f"{USER}@" not in said
    assert f'"{USER}"' not in said


def test_what_one_process_asks_another_answers(machine: Machine, database: str) -> None:
    headers = key(machine, database)
    run_id = ask(machine, database)
    at_database = ["--port", "0", "--database", database]
    with machine.serving(*at_database) as one, machine.serving("--no-worker", *at_database) as other:
        urls = [f"{server.url}/v1/orgs/acme/playbooks/default/runs/{run_id}" for server in (one, other)]
        answered = httpx2.post(f"{urls[0]}/answer", json={"answer": {"verdict": "approve"}}, headers=headers)
        assert answered.status_code == 200
        assert httpx2.get(urls[1], headers=headers).json()["output"] == {"verdict": "approve"}
        assert machine.said("status", "--database", database)["open_requests"] == 0
        for server in (one, other):
            assert f"sayso serves postgresql://127.0.0.1/{database.rsplit('/', 1)[1]} at " in server.said
            assert server.stop() == 0
            no_secret(server.said)


def test_every_process_knows_within_a_second_what_became_of_a_key(machine: Machine, database: str) -> None:
    made = machine.said("keys", "create", "--org", "acme", "--database", database)
    at_database = ["--port", "0", "--database", database]
    with machine.serving(*at_database) as one, machine.serving("--no-worker", *at_database) as other:
        urls = [f"{server.url}/v1/orgs/acme/playbooks" for server in (one, other)]
        assert statuses(urls, made["key"]) == {200}
        again = machine.said("keys", "rotate", made["id"], "--database", database)
        changed_at = time.monotonic()
        while statuses(urls, made["key"]) != {401} or statuses(urls, again["key"]) != {200}:
            assert time.monotonic() - changed_at < 1
        machine.said("keys", "revoke", made["id"], "--database", database)
        changed_at = time.monotonic()
        while statuses(urls, again["key"]) != {401}:
            assert time.monotonic() - changed_at < 1


def statuses(urls: list[str], key: str) -> set[int]:
    return {httpx2.get(url, headers={"authorization": f"Bearer {key}"}).status_code for url in urls}


def test_a_worker_works_until_it_is_told_to_stop(machine: Machine, database: str) -> None:
    ask(machine, database)
    with machine.working("--database", database) as worker:
        assert "one shard" in worker.line("sayso works on postgresql://127.0.0.1/")
        assert worker.stop() == 0
        assert worker.line("Stopped.")
        no_secret(worker.said)


def test_tables_are_made_once_with_their_shards(machine: Machine, database: str) -> None:
    check = machine.sayso("migrate", "--check", "--database", database)
    assert (check.returncode, "no tables yet" in check.stdout) == (1, True)
    made = machine.said("migrate", "--shards", "4", "--database", database)
    assert made["from_version"] == 0
    assert machine.said("migrate", "--check", "--database", database)["from_version"] == made["to_version"]
    assert machine.said("status", "--database", database)["shards"] == 4
    assert "a store keeps its number" in machine.sayso("migrate", "--shards", "2", "--database", database).stderr


def test_a_database_that_is_not_there_or_not_ours_is_refused_in_words(
    machine: Machine, postgres15: PostgresServer, database: str
) -> None:
    missing = machine.sayso("status", "--database", postgres15.url("nowhere"))
    assert (missing.returncode, "does not exist" in missing.stderr) == (1, True)
    no_secret(missing.stderr)
    postgres15.sql("create table letters(a int)", database.rsplit("/", 1)[1])
    foreign = machine.sayso("serve", "--port", "0", "--database", database)
    assert (foreign.returncode, "another program" in foreign.stderr) == (1, True)


def until_ready(server: Serving, status: int) -> httpx2.Response:
    end = time.monotonic() + SECONDS
    while True:
        reply = httpx2.get(f"{server.url}/ready", timeout=SECONDS)
        if reply.status_code == status:
            return reply
        assert time.monotonic() < end, server.said


def asking(server: Serving, headers: dict[str, str]) -> httpx2.Response:
    url = f"{server.url}/v1/orgs/acme/playbooks/default/definitions/interaction/{BRIEF}/run"
    return httpx2.post(url, json={"input": INPUT}, headers=headers, timeout=SECONDS)


def test_a_database_that_comes_back_is_served_again_by_the_same_process(machine: Machine, own: PostgresServer) -> None:
    database = own.fresh()
    headers = key(machine, database)
    ask(machine, database)
    with machine.serving("--port", "0", "--database", database) as server:
        until_ready(server, 200)
        assert asking(server, headers).status_code == 200
        own.stop()
        away: Any = until_ready(server, 503)
        assert away.headers["retry-after"]
        for refused in (asking(server, headers), httpx2.get(f"{server.url}/v1/orgs/acme/playbooks", headers=headers)):
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert httpx2.get(f"{server.url}/health").status_code == 200
        own.start()
        until_ready(server, 200)
        assert asking(server, headers).status_code == 200
        assert server.stop(signal.SIGTERM) == 0
        assert server.line("Stopped.")
        no_secret(server.said)


def test_a_server_stops_while_its_database_is_away(machine: Machine, own: PostgresServer) -> None:
    with machine.serving("--port", "0", "--database", own.fresh()) as server:
        until_ready(server, 200)
        own.stop()
        until_ready(server, 503)
        assert server.stop() == 0


@pytest.mark.parametrize("is_direct", [True, False])
def test_a_store_behind_a_pooler_is_made_and_served(
    machine: Machine, postgres15: PostgresServer, pgbouncer: PgBouncer, database: str, is_direct: bool
) -> None:
    pooled = {
        "SAYSO_DATABASE": pgbouncer.url(database.rpartition("/")[2]),
        "SAYSO_DATABASE_POOLED": "true",
        "SAYSO_DATABASE_DIRECT": database if is_direct else "",
    }
    assert machine.sayso("migrate", **pooled).returncode == 0
    made = machine.said("keys", "create", "--org", "acme", **pooled)
    headers = {"authorization": f"Bearer {made['key']}"}
    with machine.serving("--port", "0", **pooled) as server:
        until_ready(server, 200)
        playbook = {"playbook": "sales", "name": "Sales"}
        for status in (201, 409):
            reply = httpx2.post(f"{server.url}/v1/orgs/acme/playbooks", json=playbook, headers=headers)
            assert reply.status_code == status
        machine.said("keys", "revoke", made["id"], **pooled)
        revoked_at = time.monotonic()
        while httpx2.get(f"{server.url}/v1/orgs/acme/playbooks", headers=headers).status_code == 200:
            assert time.monotonic() - revoked_at < 1
        assert server.stop() == 0
        no_secret(server.said)


def test_who_may_not_connect_hears_so_without_the_password(machine: Machine, own: PostgresServer) -> None:
    own.sql("create role clerk login password 'tortoise-shell'")
    rules = own.data / "pg_hba.conf"
    rules.write_text("host all clerk 127.0.0.1/32 scram-sha-256\n" + rules.read_text())
    own.sql("select pg_reload_conf()")
    own.sql("create database theirs owner clerk")
    address = f"postgresql://clerk:wrong-word@127.0.0.1:{own.port}/theirs"
    refused = machine.sayso("status", "--database", address)
    assert refused.returncode == 1
    assert not {"clerk", "wrong-word"} & set(refused.stderr.replace('"', " ").split())
    without = address.replace(":wrong-word", "")
    assert machine.said("status", "--database", without, PGPASSWORD="tortoise-shell")["shards"] == 1
    passes = machine.home / "passes"
    passes.write_text(f"127.0.0.1:{own.port}:theirs:clerk:tortoise-shell\n")
    passes.chmod(0o600)
    assert machine.said("status", SAYSO_DATABASE=without, PGPASSFILE=str(passes))["shards"] == 1
