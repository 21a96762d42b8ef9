"""Hot queries stay with their indexes: on new tables, on tables that were analysed while empty, and on full ones."""

from collections.abc import AsyncIterator

import pytest

from sayso.ports import Wanted
from sayso.store.postgres.connection import PLANNED_ONCE, Address, Session, part
from sayso.store.postgres.store import open_postgres
from sayso.store.queries import queries
from tests.postgres.servers import PostgresServer
from tests.store.examples import asked, merged, stream
from tests.store.postgres.plans import found_by, generic_plan, plan

pytestmark = pytest.mark.anyio

HEAD = "heads_pkey(shard, stream)"
EVENT = "events_pkey(shard, stream, seq)"
FEED = "feed(shard, playbook, position)"
COUNTER = "feeds_pkey(shard, playbook)"
FOLLOWER = "subscriptions_pkey(shard, id)"
VERSION = "definition_stream(shard, stream, version)"

# What the writer runs: planned once, maybe while the tables were empty, and run when they are not any more.
WRITERS = {
    "load_heads": {
        HEAD,
        "head_named(shard, playbook, run_id)",
        "head_keyed(shard, playbook, kind, digest)",
        "member_of(shard, stream)",
    },
    "load_rest": {
        EVENT,
        COUNTER,
        "states_pkey(shard, stream)",
        "inbox_pkey(shard, stream)",
        "member_of(shard, stream)",
    },
    "update_heads": {HEAD},
    "delete_inbox": {"inbox_pkey(shard, stream, n)"},
    "leave_members": {"member_of(shard, stream)"},
    "count_failure": {HEAD},
    "erase_events": {EVENT},
    "add_subscription": {COUNTER},
    "claim_subscription": {FOLLOWER},
    "move_subscription": {FOLLOWER},
    "replay_subscription": {FOLLOWER, "feed(shard, playbook)"},
}
# What is planned for its values each time it is run.
READERS = {
    "claim": {"head_due(shard, due_at)"},
    "release": {HEAD},
    "due": {"head_due(shard, due_at)"},
    "head": {HEAD},
    "head_of_run": {HEAD, "head_named(shard, playbook, run_id)"},
    "head_keyed": {"head_keyed(shard, playbook, kind, digest)"},
    "definition_of": {VERSION},
    "definition_version": {
        HEAD,
        "definitions_pkey(shard, playbook, type, name, version)",
        "definitions_pkey(shard, playbook, type, name)",
    },
    "definitions": {HEAD, VERSION, "definitions_pkey(shard, playbook, type, name, version)"},
    "events_since": {EVENT},
    "events_page_asc": {EVENT},
    "events_page_desc": {EVENT},
    "event": {HEAD, EVENT},
    "feed_after": {FEED},
    "open_requests": {HEAD, EVENT, VERSION, "head_open(shard, playbook, stream)"},
    "open_to_party": {
        "head_party(shard, playbook, party, stream)",
        "head_answerer(shard, playbook, answerer, stream)",
    },
    "open_requests_named": {HEAD, EVENT, VERSION},
    "feed_end": {COUNTER},
    "feed_at": {FEED},
    "feed_page_desc": {HEAD, FEED},
    "feed_page_asc": {HEAD, FEED},
    "open_among": {"head_party(shard, playbook, party, stream)"},  # planned for a party
    "org_runs_page": {HEAD, EVENT, VERSION, "head_org(shard, org, stream)", "head_org_others(shard, org, stream)"},
    "open_count": {COUNTER},
    "open_children": {"head_parent(shard, parent, stream)"},
    "open_members": {HEAD, "member_open(shard, conversation, asked_at)"},
    "follower": {FOLLOWER},
    "subscriptions": {"subscriptions_pkey(shard)", COUNTER},
    "subscriptions_behind": {FOLLOWER, COUNTER},
    "fed_requests": {FEED, HEAD, VERSION},
    "fed_endings": {FEED},
    "audit_page": {FEED, HEAD},
    "runs_page": {HEAD, EVENT, VERSION, FEED},
    "due_first": {"head_due(shard, due_at)"},
    "failing": {"head_failing(shard)"},
    "failing_notices": {"subscriptions_pkey(shard)"},
    "feeds_total": {"feeds_pkey(shard)"},
    "folded_heads": {HEAD},
    "counted_feeds": {COUNTER},
    "open_heads": {"head_open(shard, playbook)"},
}

# 20,000 requests in ten playbooks; one in ten is open, one in four has a run id, each has two events.
FILL = """
insert into heads(shard, stream, playbook, org, kind, version, seq, from_seq, status, outcome, ended_at, due_at,
  run_id, parent, party, at, by, last_at)
select 0, n.id, n % 10 + 1, 1, 1, 1, 2, 1, 2, case when n % 10 > 0 then 1 end, case when n % 10 > 0 then n end,
  case when n % 10 = 0 then n end, case when n % 4 = 0 then n.id end, case when n % 9 = 0 then n.id end,
  'p' || n % 7, n, 1, n
from (select n, lpad(to_hex(n), 32, '0')::uuid as id from generate_series(1, 20000) n) n(n, id);
insert into events(shard, stream, seq, playbook, position, type, v, at, by, data)
select shard, stream, s, playbook, at * 2 + s, s, 1, at, 1, '{}' from heads, generate_series(1, 2) s;
insert into definitions(shard, playbook, type, name, version, stream, source, at, by)
select 0, n % 10 + 1, 'interaction', 'f' || n, 1, lpad(to_hex(n), 32, '0')::uuid, '', n, 1
from generate_series(1, 2000) n;
insert into members(shard, conversation, sent_id, stream, asked_at, left_at)
select 0, lpad(to_hex(n % 100), 32, '0')::uuid, 'm' || n, lpad(to_hex(n), 32, '0')::uuid, n,
  case when n % 10 > 0 then n end
from generate_series(1, 20000) n;
analyze heads, events_default, definitions, members;
"""


def test_each_query_of_run_data_has_a_plan_here() -> None:
    hot = {name for name, query in queries("postgres").items() if "shard" in query.names}
    inserts = {"insert_heads", "insert_definitions", "insert_inbox", "append_events", "put_states", "put_members"}
    inserts |= {"add_follower"}
    assert hot - inserts - {"add_playbook", "refold_events"} == WRITERS.keys() | READERS.keys()


@pytest.fixture(params=["postgres15", "postgres18"])
def url(request: pytest.FixtureRequest) -> str:
    server: PostgresServer = request.getfixturevalue(request.param)
    return server.fresh()


@pytest.fixture(params=["new", "analysed", "full"])
async def state(request: pytest.FixtureRequest, url: str) -> str:
    """What state the tables are in."""
    await (await open_postgres(url)).close()
    session = await Address(url).connect()
    if request.param != "new":
        await session.execute("analyze" if request.param == "analysed" else FILL)
    await part(session)
    found: str = request.param
    return found


@pytest.fixture
async def writers(url: str, state: str) -> AsyncIterator[Session]:
    session = await Address(url).connect(PLANNED_ONCE)
    yield session
    await part(session)


@pytest.fixture
async def readers(url: str, state: str) -> AsyncIterator[Session]:
    session = await Address(url).connect()
    yield session
    await part(session)


async def test_what_the_writer_runs_uses_its_indexes(writers: Session) -> None:
    assert {name: found_by(await generic_plan(writers, name)) for name in WRITERS} == WRITERS


@pytest.mark.parametrize("state", ["new", "full"], indirect=True)
async def test_what_is_read_uses_its_indexes(readers: Session) -> None:
    assert {name: found_by(await plan(readers, name)) for name in READERS} == READERS


@pytest.mark.parametrize("state", ["new", "full"], indirect=True)
async def test_what_waits_for_anybody_in_an_org_uses_its_index(readers: Session) -> None:
    assert found_by(await plan(readers, "open_among", party=None)) == {"head_open(shard, playbook, stream)"}


async def test_heads_are_locked_in_the_order_of_their_streams(writers: Session, url: str) -> None:
    """What a load gives is in the order in which it was locked: nothing sorts it behind the locks."""
    assert (await generic_plan(writers, "load_heads"))[0] == "Nested Loop"
    store = await open_postgres(url)
    streams = [stream(n) for n in range(40)]
    async with store.transaction(0) as transaction:
        await transaction.write(merged(*(asked(n, run_id=streams[-n]) for n in range(40))))
        run_ids = frozenset((1, run_id) for run_id in streams[:20])
        loaded = await transaction.load(Wanted(streams=frozenset(streams[10:30]), run_ids=run_ids))
    assert [head.stream for head in loaded.heads] == sorted(head.stream for head in loaded.heads)
    assert len(loaded.heads) > 30
    await store.close()
