"""Named statements are read from a file and prepared for SQLite."""

import pytest

from sayso.store.queries import queries
from sayso.store.sql import Query, padded, read_queries

FILE = """
-- name: one (big, unit): finds
-- it's a remark
select ':no' from {part} where a = :a and b = :b or a > :a;

-- == a section
-- name: listed: lists
select 1 where a in :many... and (select 1 from :pairs...2 p);
-- name: forked [sqlite]: here
select 'lite';
-- name: forked [postgres]: there
select 'big';
"""


@pytest.fixture
def found() -> dict[str, Query]:
    return read_queries(FILE, dialect="sqlite", parts={"part": "t"})


def test_a_name_becomes_a_mark_wherever_it_stands_but_in_quotes(found: dict[str, Query]) -> None:
    assert found["one"].bind({"a": 1, "b": 2}) == ("select ':no' from t where a = ? and b = ? or a > ?", [1, 2, 1])
    assert (found["one"].words, found["one"].purpose) == (frozenset({"big", "unit"}), "finds")


def test_a_list_becomes_as_many_marks_as_the_next_power_of_two(found: dict[str, Query]) -> None:
    text, values = found["listed"].bind({"many": [1, 2, 3], "pairs": [(4, 5)]})
    assert text == "select 1 where a in (?, ?, ?, ?) and (select 1 from (values (?, ?)) p)"
    assert values == [1, 2, 3, 3, 4, 5]


def test_an_empty_list_holds_nothing(found: dict[str, Query]) -> None:
    text, values = found["listed"].bind({"many": [], "pairs": []})
    assert "in ()" in text
    assert "(select null as column1, null as column2 where false)" in text
    assert values == []


def test_a_fork_is_read_for_its_own_database_alone(found: dict[str, Query]) -> None:
    assert found["forked"].text() == "select 'lite'"
    assert read_queries(FILE, dialect="postgres", parts={})["forked"].text() == "select 'big'"


@pytest.mark.parametrize("parameters", [{"a": 1}, {"a": 1, "b": 2, "c": 3}])
def test_a_parameter_too_few_or_too_many_is_refused(found: dict[str, Query], parameters: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="one takes"):
        found["one"].bind(parameters)


@pytest.mark.parametrize(("count", "size"), [(0, 0), (1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (64, 64), (65, 128)])
def test_lists_are_padded_with_their_last_value(count: int, size: int) -> None:
    values = list(range(count))
    assert list(padded(values)) == values + values[-1:] * (size - count)


def test_every_query_of_run_data_names_its_shard() -> None:
    reference = {"reference_version", "orgs", "playbooks", "playbook_named", "callers", "keys", "key_named"}
    reference |= {"meta", "store_bytes", "server_settings"}
    of_run_data = [q for q in queries("sqlite").values() if q.name not in reference and "reference" not in q.words]
    assert [query.name for query in of_run_data if "shard" not in query.names] == []


def test_only_the_writer_touches_the_feeds_counters() -> None:
    touching = [
        q for q in queries("sqlite").values() if any("feeds" in piece for piece in q.pieces if isinstance(piece, str))
    ]
    assert {query.name for query in touching} == {
        "move_feeds",
        "load_open",
        "open_count",
        "feed_end",
        "counted_feeds",
        "feeds_total",
        "add_subscription",
        "subscriptions",
        "subscriptions_behind",
    }
    assert [query.name for query in touching if not query.words & {"unit", "rebuild"}] == [
        "open_count",
        "feed_end",
        "feeds_total",
        "add_subscription",
        "subscriptions_behind",
        "subscriptions",
    ]
