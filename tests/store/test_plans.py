"""Hot queries stay with their indexes: on a new file, which has no statistics of its own, and on a full one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.store.queries import queries
from sayso.store.sqlite.connection import Connection
from sayso.store.sqlite.loading import LOOKED_FOR
from sayso.store.sqlite.schema import prepare

HEAD = "PRIMARY KEY (shard=? AND stream=?)"
EVENT = "INDEX sqlite_autoindex_events_1 (shard=? AND stream=? AND seq=?)"
VERSION = "PRIMARY KEY (shard=? AND playbook=? AND type=? AND name=? AND version=?)"

# For each hot query how it finds the rows of each table; a list has four values.
PLANS = {
    "load_heads": [
        f"SEARCH h USING {HEAD}",
        "SEARCH h USING INDEX head_named (shard=? AND playbook=? AND run_id=?)",
        "SEARCH h USING INDEX head_keyed (shard=? AND playbook=? AND kind=? AND digest=?)",
    ],
    "load_conversations": ["SEARCH members USING INDEX member_of (shard=? AND stream=?)"],
    "load_events": [
        f"SEARCH h USING {HEAD}",
        "SEARCH e USING INDEX sqlite_autoindex_events_1 (shard=? AND stream=? AND seq>?)",
    ],
    "load_states": ["SEARCH states USING INDEX sqlite_autoindex_states_1 (shard=? AND stream=?)"],
    "load_inbox": ["SEARCH inbox USING PRIMARY KEY (shard=? AND stream=?)"],
    "load_open": ["SEARCH feeds USING PRIMARY KEY (shard=? AND playbook=?)"],
    "update_heads": [f"SEARCH heads USING {HEAD}"],
    "delete_inbox": ["SEARCH inbox USING PRIMARY KEY (shard=? AND stream=? AND n=?)"],
    "leave_members": ["SEARCH members USING INDEX member_of (shard=? AND stream=?)"],
    "folded_heads": ["SEARCH h USING PRIMARY KEY (shard=? AND stream>?)"],
    "refold_events": [
        "SEARCH h USING PRIMARY KEY (shard=? AND stream>? AND stream<?)",
        "SEARCH b USING INDEX sqlite_autoindex_events_1 (shard=? AND stream=?)",
        "SEARCH e USING INDEX sqlite_autoindex_events_1 (shard=? AND stream=? AND seq>?)",
    ],
    "counted_feeds": ["SEARCH feeds USING PRIMARY KEY (shard=? AND playbook>? AND playbook<?)"],
    "open_heads": ["SEARCH heads USING COVERING INDEX head_open (shard=? AND playbook>? AND playbook<?)"],
    "count_failure": [f"SEARCH heads USING {HEAD}"],
    "due": ["SEARCH heads USING COVERING INDEX head_due (shard=? AND due_at>? AND due_at<?)"],
    "head": [f"SEARCH h USING {HEAD}"],
    "head_of_run": [
        "SEARCH h USING INDEX head_named (shard=? AND playbook=? AND run_id=?)",
        f"SEARCH h USING {HEAD}",
    ],
    "definition_of": ["SEARCH definitions USING INDEX definition_stream (shard=? AND stream=? AND version=?)"],
    "open_children": ["SEARCH heads USING INDEX head_parent (shard=? AND parent=? AND stream>?)"],
    "open_members": [
        "SEARCH m USING INDEX member_open (shard=? AND conversation=? AND (asked_at,sent_id,stream)>(?,?,?))",
        f"SEARCH h USING {HEAD}",
    ],
    "head_keyed": ["SEARCH h USING INDEX head_keyed (shard=? AND playbook=? AND kind=? AND digest=?)"],
    "events_since": ["SEARCH events USING INDEX sqlite_autoindex_events_1 (shard=? AND stream=? AND seq>?)"],
    "events_page_asc": ["SEARCH events USING INDEX sqlite_autoindex_events_1 (shard=? AND stream=? AND seq>?)"],
    "events_page_desc": ["SEARCH events USING INDEX sqlite_autoindex_events_1 (shard=? AND stream=? AND seq<?)"],
    "event": [f"SEARCH e USING {EVENT}", f"SEARCH h USING {HEAD}"],
    "definition_version": [
        "SEARCH d USING PRIMARY KEY (shard=? AND playbook=? AND type=? AND name=? AND version<?)",
        f"SEARCH h USING {HEAD}",
        f"SEARCH f USING {VERSION}",
    ],
    "definitions": [
        "SEARCH f USING PRIMARY KEY (shard=? AND playbook=? AND type=? AND name>?)",
        f"SEARCH h USING {HEAD}",
        "SEARCH d USING INDEX definition_stream (shard=? AND stream=? AND version=?)",
    ],
    "open_requests": [
        "SEARCH o USING COVERING INDEX head_open (shard=? AND playbook=? AND stream<?)",
        f"SEARCH h USING {HEAD}",
        f"SEARCH e USING {EVENT}",
        "SEARCH d USING INDEX definition_stream (shard=? AND stream=? AND version=?) LEFT-JOIN",
    ],
    "open_to_party": [
        "SEARCH o USING COVERING INDEX head_open (shard=? AND playbook=? AND stream<?)",
        "SEARCH o USING COVERING INDEX head_answerer (shard=? AND playbook=? AND answerer=? AND stream<?)",
    ],
    "open_requests_named": [
        f"SEARCH h USING {HEAD}",
        f"SEARCH e USING {EVENT}",
        "SEARCH d USING INDEX definition_stream (shard=? AND stream=? AND version=?) LEFT-JOIN",
    ],
    "feed_after": ["SEARCH events USING INDEX feed (shard=? AND playbook=? AND position>?)"],
    "open_count": ["SEARCH feeds USING PRIMARY KEY (shard=? AND playbook=?)"],
    "feeds_total": ["SEARCH feeds USING PRIMARY KEY (shard=?)"],
    "due_first": ["SEARCH heads USING INDEX head_due (shard=? AND due_at>? AND due_at<?)"],
    "failing": ["SEARCH heads USING INDEX head_failing (shard=?)"],
    "failing_notices": ["SEARCH subscriptions USING PRIMARY KEY (shard=?)"],
    "feed_end": ["SEARCH feeds USING PRIMARY KEY (shard=? AND playbook=?)"],
    "feed_at": ["SEARCH events USING INDEX feed (shard=? AND playbook=? AND position>?)"],
    "feed_page_desc": [
        "SEARCH events USING COVERING INDEX feed (shard=? AND playbook=? AND position>? AND position<?)",
        "SEARCH l USING INDEX feed (shard=? AND playbook=? AND position>? AND position<?)",
        f"SEARCH h USING {HEAD}",
    ],
    "feed_page_asc": [
        "SEARCH events USING COVERING INDEX feed (shard=? AND playbook=? AND position>?)",
        "SEARCH l USING INDEX feed (shard=? AND playbook=? AND position>? AND position<?)",
        f"SEARCH h USING {HEAD}",
    ],
    "open_among": [
        "SEARCH i USING COVERING INDEX head_open (shard=? AND playbook=? AND stream<?)",
        f"SEARCH h USING {HEAD}",
    ],
    "org_runs_page": [
        "SEARCH heads USING INDEX head_org (shard=? AND org=? AND stream<?)",
        "SEARCH heads USING INDEX head_org_others (shard=? AND org=? AND stream<?)",
        f"SEARCH h USING {HEAD}",
        f"SEARCH e USING {EVENT}",
        "SEARCH d USING COVERING INDEX definition_stream (shard=? AND stream=? AND version=?) LEFT-JOIN",
    ],
    "erase_events": ["SEARCH events USING INDEX sqlite_autoindex_events_1 (shard=? AND stream=?)"],
    "follower": ["SEARCH subscriptions USING PRIMARY KEY (shard=? AND id=?)"],
    "subscriptions": [
        "SEARCH s USING PRIMARY KEY (shard=?)",
        "SEARCH f USING PRIMARY KEY (shard=? AND playbook=?) LEFT-JOIN",
    ],
    "subscriptions_behind": [
        "SEARCH s USING PRIMARY KEY (shard=? AND id>?)",
        "SEARCH f USING PRIMARY KEY (shard=? AND playbook=?)",
    ],
    "claim_subscription": ["SEARCH subscriptions USING PRIMARY KEY (shard=? AND id=?)"],
    "move_subscription": ["SEARCH subscriptions USING PRIMARY KEY (shard=? AND id=?)"],
    "replay_subscription": [
        "SEARCH subscriptions USING PRIMARY KEY (shard=? AND id=?)",
        "SEARCH e USING INDEX feed (shard=? AND playbook=?)",
    ],
    "fed_requests": [
        "SEARCH events USING INDEX feed (shard=? AND playbook=? AND position>?)",
        f"SEARCH h USING {HEAD}",
        "SEARCH d USING INDEX definition_stream (shard=? AND stream=? AND version=?) LEFT-JOIN",
    ],
    "fed_endings": ["SEARCH events USING INDEX feed (shard=? AND playbook=? AND position>?)"],
    "audit_page": [
        "SEARCH e USING INDEX feed (shard=? AND playbook=? AND position>?)",
        f"SEARCH h USING {HEAD} LEFT-JOIN",
    ],
    "runs_page": [
        "SEARCH events USING COVERING INDEX feed (shard=? AND playbook=? AND position<?)",
        "SEARCH l USING INDEX feed (shard=? AND playbook=? AND position>? AND position<?)",
        f"SEARCH h USING {HEAD}",
        f"SEARCH e USING {EVENT}",
        "SEARCH d USING COVERING INDEX definition_stream (shard=? AND stream=? AND version=?) LEFT-JOIN",
    ],
}
# A page, already cut to its limit, is put in order once more, and so is what a walk has found.
SORTED_AT_MOST = {
    "runs_page": 1,
    "feed_page_desc": 2,
    "feed_page_asc": 2,
    "open_among": 1,
    "org_runs_page": 5,
    "fed_requests": 1,
    "fed_endings": 1,
    "subscriptions": 1,
}

# A walk through a table or one of its aliases; constants, lists and what a query made itself may be walked.
TABLE_SCAN = re.compile(r"SCAN (heads|events|members|definitions|states|inbox|feeds|[hoeldf])\b")


@pytest.fixture(params=["new", "full"])
def connection(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Connection]:
    path = tmp_path / "sayso.db"
    connection = Connection(path.as_uri(), busy_seconds=1)
    prepare(connection, path=str(path), shards=1, now=1)
    if request.param == "full":
        connection.set("fill", FILL)
    connection.close()
    connection = Connection(path.as_uri(), busy_seconds=1)  # statistics are read when a file is opened
    yield connection
    connection.close()


# 20,000 requests in ten playbooks; one in ten is open, one in four has a run id, each has two events.
FILL = [
    """insert into heads(shard, stream, playbook, org, kind, version, seq, from_seq, status, outcome, ended_at, due_at,
         run_id, party, at, by, last_at)
       with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 20000)
       select 0, cast(printf('%016d', n) as blob), n % 10 + 1, 1, 1, 1, 2, 1, 2, iif(n % 10, 1, null),
         iif(n % 10, n, null), iif(n % 10, null, n), iif(n % 4, null, cast(n as blob)), 'p' || n % 7, n, 1, n
       from numbers""",
    """insert into events(shard, stream, seq, playbook, position, type, v, at, by, data)
       select shard, stream, s.value, playbook, at * 2 + s.value, s.value, 1, at, 1, '{}'
       from heads, json_each('[1, 2]') s""",
]


def test_each_query_of_run_data_has_a_plan_here() -> None:
    hot = {name for name, query in queries("sqlite").items() if "shard" in query.names}
    inserts = {
        "insert_heads",
        "insert_definitions",
        "insert_inbox",
        "insert_events",
        "put_states",
        "put_members",
        "move_feeds",
        "add_follower",
        "add_subscription",
    }
    assert hot - inserts - {"add_playbook"} == set(PLANS)


@pytest.mark.parametrize("length", [4, LOOKED_FOR])
@pytest.mark.parametrize("name", PLANS)
def test_a_hot_query_uses_its_indexes(connection: Connection, name: str, length: int) -> None:
    query = queries("sqlite")[name]
    text = query.text(*(length for mark in query.marks if mark.width))
    steps = [row[3] for row in connection.fetch(name, f"explain query plan {text}", [None] * text.count("?"))]
    assert [step for step in PLANS[name] if step not in steps] == []
    assert [step for step in steps if TABLE_SCAN.match(step) or "AUTOMATIC" in step or "BLOOM" in step] == []
    assert sum("ORDER BY" in step for step in steps) <= SORTED_AT_MOST.get(name, 0)
