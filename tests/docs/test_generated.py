"""What the reference lists is made from the code. ``python -m tests.docs.generate`` writes anew what differs."""

from pathlib import Path

import pytest

from sayso.core import bounds as numbers
from tests.docs import generate, pages
from tests.docs.reference import bounds, states

MADE = [page for page in pages.PAGES if generate.parts_of(page)]


@pytest.mark.parametrize("page", MADE, ids=pages.name)
def test_page_is_as_the_code_makes_it(page: Path) -> None:
    shown = page.read_text(encoding="utf-8")
    assert shown == generate.generated(page), "write it anew: python -m tests.docs.generate"


@pytest.mark.parametrize("name", generate.FILES)
def test_file_is_as_the_code_makes_it(name: str) -> None:
    shown = (pages.ROOT / name).read_text(encoding="utf-8")
    assert shown == generate.FILES[name](), "write it anew: python -m tests.docs.generate"


def test_every_part_stands_on_one_page() -> None:
    found = [name for page in MADE for name in generate.parts_of(page)]
    assert sorted(found) == sorted(generate.PARTS)


def test_a_bound_without_words_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "NEW_BYTES", 1, raising=False)
    with pytest.raises(LookupError, match="NEW_BYTES"):
        bounds.listed()


def test_the_machine_reaches_every_ending() -> None:
    assert {name.split(",")[0] for name in states.reached()} == {"nothing yet", "waiting", "succeeded", "rejected"}
    assert "rejected, unanswered, expired" in states.reached()
