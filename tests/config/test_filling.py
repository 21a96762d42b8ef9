"""References: filled from the environment, in values alone, and never guessed."""

import pytest

from sayso.config import filling
from sayso.config.refusal import Unfit

ENVIRON = {"NAME": "value", "EMPTY": "", "TRICKY": "${NAME}$$"}


@pytest.mark.parametrize(
    ("written", "given"),
    [
        ("${NAME}", "value"),
        ("a${NAME}b${NAME}", "avaluebvalue"),
        ("${NONE:-other}", "other"),
        ("${EMPTY:-other}", "other"),
        ("${NONE:-}", ""),
        ("${NAME:-other}", "value"),
        ("$$", "$"),
        ("$${NAME}", "${NAME}"),
        ("${TRICKY}", "${NAME}$$"),  # what came from the environment is not filled again
        ("plain", "plain"),
    ],
)
def test_a_reference_is_filled(written: str, given: str) -> None:
    assert filling.filled(written, ENVIRON) == given


@pytest.mark.parametrize(
    "written", ["${NONE}", "${EMPTY}", "$NAME", "${NAME", "${}", "${1A}", "${A:-${B}}", "${A-b}", "$"]
)
def test_what_cannot_be_filled_is_refused(written: str) -> None:
    with pytest.raises(Unfit) as refused:
        filling.filled({"list": [1, written]}, ENVIRON)
    assert refused.value.path == ("list", 1)


def test_keys_and_other_values_stay_as_they_are() -> None:
    written = {"${NAME}": [1, True, None, {"x": "${NAME}"}]}
    assert filling.filled(written, ENVIRON) == {"${NAME}": [1, True, None, {"x": "value"}]}


@pytest.mark.parametrize(
    ("text", "has"), [("${A}", True), ("x${A:-b}", True), ("$$", False), ("$${A}", False), ("a", False)]
)
def test_a_text_tells_whether_it_has_a_reference(text: str, has: bool) -> None:
    assert filling.has_reference(text) is has
