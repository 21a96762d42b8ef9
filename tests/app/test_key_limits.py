"""Limits of keys: none that nobody meant, whatever a command line hands over."""

from typing import Any

import pytest

from sayso.errors import Problem
from tests.app.studio import Studio

pytestmark = pytest.mark.anyio


async def test_a_star_means_all_playbooks(here: Studio) -> None:
    made = await here.app.keys.create("acme", playbooks=["*"])
    assert (await here.app.keys.authenticate(made["key"])).playbooks is None


@pytest.mark.parametrize("playbooks", [[], [""], ["Sales"], ["sales", "*"], ["a"], ["sales\n"]])
async def test_a_key_limited_to_what_can_be_no_playbook_is_refused(here: Studio, playbooks: list[str]) -> None:
    with pytest.raises(Problem) as caught:
        await here.app.keys.create("acme", playbooks=playbooks)
    assert [issue.pointer for issue in caught.value.issues] == ["/playbooks"]
    assert await here.app.keys.list() == []


@pytest.mark.parametrize(("field", "given"), [("claimed_for", "\udcff"), ("claimed_for", "a\ud800")])
async def test_a_claim_that_no_utf8_can_say_is_refused_at_its_pointer(here: Studio, field: str, given: Any) -> None:
    """A command line hands over bytes that are no UTF-8 as halves of surrogate pairs."""
    run_id = (await here.run())["run_id"]
    with pytest.raises(Problem) as caught:
        await here.do("answer_interaction", run_id=run_id, answer={"verdict": "yes"}, **{field: given})
    assert [issue.pointer for issue in caught.value.issues] == [f"/{field}"]
