"""Identifiers: order, shard, and both spellings there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core import ids

INSTANTS = st.integers(min_value=0, max_value=(1 << 57) - 1)
SHARDS = st.integers(min_value=0, max_value=ids.SHARD_MAX)
CHANCES = st.integers(min_value=0, max_value=(1 << ids.CHANCE_BITS) - 1)


@given(INSTANTS, SHARDS, CHANCES)
def test_a_stream_id_is_a_uuid_of_version_7_with_room_for_its_events(at: int, shard: int, chance: int) -> None:
    stream = ids.stream_id(at, shard, chance)
    text = ids.uuid_text(stream)
    assert (text[14], text[19] in "89ab", text[-5:]) == ("7", True, "00000")
    assert ids.shard_of(stream) == ids.shard_of(ids.event_id(stream, 7)) == shard


@given(INSTANTS, SHARDS, CHANCES, CHANCES)
def test_later_ids_sort_later_whatever_the_chance(at: int, shard: int, one: int, other: int) -> None:
    assert ids.stream_id(at, shard, one) < ids.stream_id(at + 1, shard, other)


@given(INSTANTS, SHARDS, CHANCES, st.integers(min_value=1, max_value=ids.SEQ_MAX))
def test_an_event_id_holds_its_stream_and_place(at: int, shard: int, chance: int, seq: int) -> None:
    stream = ids.stream_id(at, shard, chance)
    assert ids.split_event_id(ids.event_id(stream, seq)) == (stream, seq)


@given(st.binary(min_size=16, max_size=16))
def test_both_spellings_are_read_back_in_any_letter_case(identifier: bytes) -> None:
    assert ids.parse_uuid(ids.uuid_text(identifier).upper()) == identifier
    assert ids.parse_prefixed("int", ids.prefixed_text("int", identifier).upper().replace("INT_", "int_")) == identifier


@pytest.mark.parametrize("text", ["", "x", "0199a3c4-7d2e-7c1a-9b3f-00000000000", "0199a3c47d2e7c1a9b3f000000000001"])
def test_what_is_no_uuid_is_none(text: str) -> None:
    assert ids.parse_uuid(text) is None


@pytest.mark.parametrize("text", ["", "int_", "int_8" + "0" * 25, "run_" + "0" * 26, "int_" + "u" * 26])
def test_what_is_no_prefixed_id_is_none(text: str) -> None:
    assert ids.parse_prefixed("int", text) is None
