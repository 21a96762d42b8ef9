"""Named statements are made what PostgreSQL runs: numbered and typed parameters, tables of rows, joins row by row."""

import pytest

from sayso.store.postgres.joins import row_by_row
from sayso.store.postgres.statements import named, numbered
from sayso.store.queries import queries
from sayso.store.sql import read_queries

FILE = """
-- name: one: finds
select ':no', now()::text from t where shard = :shard and at = :at and (by = :by or by > :by);

-- name: listed: lists
select 1 where stream in :streams... and exists (select 1 from :run_ids...2 w where w.column1 = playbook);

-- name: put (many): writes
insert into t(shard, stream, at)
values (
  :shard, :stream, :at)
on conflict do nothing;
"""
QUERIES = read_queries(FILE, dialect="postgres", parts={})


def test_a_name_has_one_number_and_the_type_of_its_name() -> None:
    found = numbered(QUERIES["one"])
    where = "where shard = $1::smallint and at = $2::bigint and (by = $3::int or by > $3::int)"
    assert found.text == f"select ':no', now()::text from t {where}"
    assert found.bind({"by": 3, "shard": 1, "at": 2}) == [1, 2, 3]


def test_a_list_is_an_array_and_a_table_of_rows_an_array_a_column() -> None:
    found = numbered(QUERIES["listed"])
    table = "(select * from unnest($2::int[], $3::uuid[]) as t(column1, column2))"
    assert f"stream = any($1::uuid[]) and exists (select 1 from {table} w" in found.text
    values = found.bind({"streams": [b"s"], "run_ids": [(1, b"a"), (2, b"b")]})
    assert values == [[b"s"], [1, 2], [b"a", b"b"]]


def test_what_writes_many_rows_takes_them_by_columns() -> None:
    found = numbered(QUERIES["put"])
    assert "select $1::smallint, unnest.* from unnest($2::uuid[], $3::bigint[])\non conflict" in found.text
    assert found.names == ("shard", "stream", "at")


@pytest.mark.parametrize("parameters", [{"shard": 1}, {"shard": 1, "at": 1, "by": 1, "other": 1}])
def test_a_parameter_too_few_or_too_many_is_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="one takes"):
        numbered(QUERIES["one"]).bind(parameters)


JOINS = {
    "select 1 from a x cross join b y on y.i = x.i where x.i = 1": (
        "select 1 from a x cross join lateral (select * from b y where y.i = x.i offset 0) y where x.i = 1"
    ),
    "select 1 from a x\nleft join b y on y.i = (\n select 1 where true) and y.k\norder by 1": (
        "select 1 from a x\nleft join lateral (select * from b y where y.i = (\n select 1 where true) and y.k offset 0)"
        " y on true\norder by 1"
    ),
    "(select 1 from a x cross join b y on y.i = x.i)": (
        "(select 1 from a x cross join lateral (select * from b y where y.i = x.i offset 0) y)"
    ),
    "select 1 from a x cross join b y on y.i = x.i cross join c z on z.i = y.i": (
        "select 1 from a x cross join lateral (select * from b y where y.i = x.i offset 0) y "
        "cross join lateral (select * from c z where z.i = y.i offset 0) z"
    ),
    "select 1 from a x cross join unnest(b) y": "select 1 from a x cross join unnest(b) y",
}


@pytest.mark.parametrize("text", JOINS)
def test_a_join_on_a_condition_becomes_a_lookup(text: str) -> None:
    assert row_by_row(text) == JOINS[text]


def test_every_statement_has_types_for_its_parameters() -> None:
    assert {named(name).name for name in queries("postgres")} == set(queries("postgres"))


def test_both_databases_have_the_same_queries_but_for_those_of_load_and_write() -> None:
    lite, big = queries("sqlite"), queries("postgres")
    only = {name for name in lite.keys() ^ big.keys() if "unit" not in (lite.get(name) or big[name]).words}
    assert only == {"claim", "release", "lock_reference"}


def test_every_statement_of_run_data_names_its_shard() -> None:
    of_run_data = [query for query in queries("postgres").values() if "shard" not in query.names]
    names = {query.name for query in of_run_data if "reference" not in query.words}
    assert names == {
        *("reference_version", "orgs", "playbooks", "playbook_named", "callers", "keys", "key_named"),
        *("meta", "store_bytes", "now", "server_settings"),
    }


def test_only_the_writer_touches_the_feeds_counters() -> None:
    touching = [query for query in queries("postgres").values() if "feeds" in "".join(map(str, query.pieces))]
    assert {query.name for query in touching if not query.words & {"unit", "rebuild"}} == {
        *("open_count", "feed_end", "feeds_total"),
        *("add_subscription", "subscriptions", "subscriptions_behind"),
    }
