"""A connection lost at any message of the protocol: the caller hears of it, sends again, and it stands exactly once."""

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sayso.store.postgres import connection
from tests import stores
from tests.faults.audit import audit
from tests.faults.lossy import STAGES, WAYS, Cuts, is_commit, is_committed, told_lossily
from tests.faults.nursery import STORIES
from tests.faults.story import STORE
from tests.postgres.relay import Relay

SPREAD = 3  # stories of the short form that are cut anywhere
SILENT, SILENT_LONG = 1, 20  # pairs of stories whose cuts nobody hears of
GIVEN_UP_S = 0.5  # when a statement without an answer is given up there
CONNECTING = 70  # about as many messages pass before those of the step itself, when a connection is made anew


def told(story: str, folder: Path, cuts: Cuts) -> tuple[Any, int]:
    """Tell a story through a relay on an empty database; what is left there is audited."""
    stores.prepare(folder / STORE, stores.server_name())
    straight = stores.lent.to(folder / STORE)[0]
    with Relay(straight) as relay:
        relay.cut, relay.is_silent = cuts, cuts.is_silent
        portrait, again = asyncio.run(told_lossily(story, relay.url, cuts, straight))
    audit(folder / STORE, STORIES[story].machines, STORIES[story].until)
    stores.lent.give_back(folder / STORE)
    return json.loads(json.dumps(portrait)), again


def at_commits() -> Iterator[Cuts]:
    """Whether it was done is known to nobody but the database."""
    for meant in (is_commit, is_committed):
        for way in WAYS:
            yield Cuts(place_in=lambda _: 0, way=way, meant=meant)


def anywhere(counts: list[int], chance: random.Random) -> Iterator[Cuts]:
    """In each step at a random message."""
    for _ in range(SPREAD):
        places = [chance.randrange(count + CONNECTING) for count in counts]
        yield Cuts(place_in=places.__getitem__, way=chance.choice(list(WAYS)))


def silences(counts: list[int], chance: random.Random, number: int) -> Iterator[Cuts]:
    """So many stories in which each commit's fate is unknown, and as many that are cut anywhere."""
    for _ in range(number):
        for cuts in (chance.choice([*at_commits()]), next(anywhere(counts, chance))):
            cuts.is_silent = True
            yield cuts


def everywhere(longest: int) -> Iterator[Cuts]:
    """In each step at each message, one after the other."""
    for place in range(longest + CONNECTING):
        for way in WAYS:
            yield Cuts(place_in=partial(_same, place), way=way)


def _same(place: int, _step: int) -> int:
    return place


@pytest.mark.slow
@pytest.mark.parametrize("story", STAGES)
def test_a_story_whose_connections_are_lost_ends_as_if_they_had_not_been(
    tmp_path: Path, *, story: str, is_long: bool, shown: Callable[[str], None]
) -> None:
    began, whole, seed = time.monotonic(), Cuts(place_in=lambda _: None), random.randrange(1_000_000)
    portrait, again = told(story, tmp_path / "whole", whole)
    assert again == 0
    made = heard = 0
    more = everywhere(max(whole.counts)) if is_long else anywhere(whole.counts, random.Random(seed))
    for number, cuts in enumerate([*at_commits(), *more]):
        end, again = told(story, tmp_path / f"{number}", cuts)
        assert end == portrait, (seed, cuts)
        made, heard = made + cuts.made, heard + again
    assert made >= heard > made / 4
    shown(
        f"Story {story!r}, connections lost (seed {seed}): {number + 1} stories with {made} cuts, of which {heard} "
        f"were heard of and the step sent again; {time.monotonic() - began:.0f} s"
    )


@pytest.mark.slow
@pytest.mark.parametrize("story", STAGES)
def test_a_story_whose_messages_are_swallowed_ends_as_if_they_had_not_been(
    *, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, story: str, is_long: bool, shown: Callable[[str], None]
) -> None:
    """No side of a connection hears that the network broke: only a statement's time-out ends the silence."""
    began, whole, seed = time.monotonic(), Cuts(place_in=lambda _: None), random.randrange(1_000_000)
    portrait, _ = told(story, tmp_path / "whole", whole)
    monkeypatch.setattr(connection, "STATEMENT_S", GIVEN_UP_S)
    monkeypatch.setattr(connection, "CONNECT_S", GIVEN_UP_S)
    made = heard = 0
    for number, cuts in enumerate(silences(whole.counts, random.Random(seed), SILENT_LONG if is_long else SILENT)):
        end, again = told(story, tmp_path / f"{number}", cuts)
        assert end == portrait, (seed, cuts)
        made, heard = made + cuts.made, heard + again
    assert heard > made / 4
    shown(
        f"Story {story!r}, messages swallowed (seed {seed}): {made} silences, of which {heard} were heard of and the "
        f"step sent again; {time.monotonic() - began:.0f} s"
    )
