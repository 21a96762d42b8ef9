"""The templates that are made use all that templates may use."""

from random import Random

from sayso.core.templates.filters import FILTERS
from sayso.core.templates.source import TAGS
from sayso.core.templates.template import PLACES, Template, compile_template
from tests.fuzz_documents import liquid
from tests.fuzz_documents.liquid import Names

NAMES = Names(("input.owner", "today"), ("input.amount",), ("input.items",), ("input",))


def test_every_filter_and_every_tag_is_made() -> None:
    chance = Random(0)
    made = [liquid.text(chance, NAMES) for _ in range(3_000)]
    whole = " ".join(made)
    assert liquid.FILTERS.keys() == FILTERS.keys()
    assert [name for name in FILTERS if f"| {name}" not in whole] == []
    assert [tag for tag in TAGS | {"raw"} if f"% {tag}" not in whole and f"%- {tag}" not in whole] == []


def test_nearly_all_that_is_made_can_be_saved() -> None:
    chance = Random(0)
    made = [liquid.text(chance, NAMES) for _ in range(1_000)]
    saved = [isinstance(compile_template(source, PLACES["message"]), Template) for source in made]
    assert saved.count(True) > 850
