"""The question of a run: rendered over its input, or the reason why it cannot be asked."""

import pytest

from sayso.core.commands import Question
from sayso.core.document.function import RequestFunction
from sayso.core.document.question import Refused, ask, check_input
from sayso.core.values import Json
from sayso.errors import Kind, Reason
from tests.core.document import examples

MOMENT_MS = 1_791_363_600_123  # 2026-10-07T09:00:00.123Z


def function(to: str = "x", from_: str | None = None, message: str = "Hello", more: str = "") -> RequestFunction:
    answerer = f"from: '{from_}'\n" if from_ is not None else ""
    return examples.asking(f"---\nto: '{to}'\n{answerer}expires: PT1H\n{more}---\n{message}")


def question(asking: RequestFunction, given: Json) -> Question:
    asked = ask(asking, given, MOMENT_MS)
    assert isinstance(asked, Question), asked
    return asked


def test_a_question_is_rendered_over_the_input() -> None:
    asking = function("{{ input.to }}", "{{ input.from }}", "Hi {{ input.to }}, é", "output: { schema: {} }\n")
    asked = question(asking, {"to": " the editor\n", "from": "the chief"})
    assert (asked.to, asked.answerer, asked.takes_answer) == ("the editor", "the chief", True)
    assert (asked.message, asked.message_bytes, asked.expires_ms) == ("Hi  the editor\n, é", 19, 3_600_000)


@pytest.mark.parametrize("from_", [None, "x", " x "])
def test_the_answerer_is_named_only_where_another_answers(from_: str | None) -> None:
    assert question(function(from_=from_), {}).answerer is None


def test_a_notification_takes_no_answer() -> None:
    assert not question(function(), {}).takes_answer


def test_today_and_now_are_the_moment_in_utc() -> None:
    assert question(function(message="{{ today }} {{ now }}"), {}).message == "2026-10-07 2026-10-07T09:00:00.123Z"


@pytest.mark.parametrize("field", ["to", "from_"])
@pytest.mark.parametrize(
    "value", ["", "  \n", None, "a\x07b", "a\x85b", "a" * 257, "é" * 129, " " * 9_000, ["a"], {"a": 1}]
)
def test_a_party_that_will_not_do_is_unworkable(field: str, value: Json) -> None:
    refused = ask(function(**{field: "{{ input.v }}"}), {"v": value}, MOMENT_MS)
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.kind, refused.pointer) == (Reason.CONFLICT, Kind.UNWORKABLE, None)
    assert refused.detail.startswith(field.strip("_"))


@pytest.mark.parametrize("value", ["a" * 256, "é" * 128, 5, True])
def test_a_party_that_fits_is_asked(value: Json) -> None:
    assert len(question(function("{{ input.v }}"), {"v": value}).to.encode()) <= 256


@pytest.mark.parametrize("message", ["{{ input.v }}", "{{ input.v }}{% if true %}{% endif %}"])
def test_a_message_of_more_than_8192_bytes_is_unworkable(message: str) -> None:
    assert question(function(message=message), {"v": "x" * 8_192}).message_bytes == 8_192
    refused = ask(function(message=message), {"v": "x" * 8_193}, MOMENT_MS)
    assert isinstance(refused, Refused)
    assert refused.kind is Kind.UNWORKABLE


def test_what_the_input_lacks_is_invalid_input() -> None:
    refused = ask(function("{{ input.editor }}"), {}, MOMENT_MS)
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.kind, refused.pointer) == (Reason.INVALID_INPUT, None, "/input/editor")


def test_the_input_is_checked_against_its_schema() -> None:
    asking = function(more="input: { schema: { type: object, required: [a], properties: { b: { type: string } } } }\n")
    assert [issue.pointer for issue in check_input(asking, {"b": 1})] == ["/input/a", "/input/b"]
    assert check_input(asking, {"a": 1}) == ()
    assert check_input(function(), ["anything"]) == ()


def test_a_message_with_a_nul_cannot_be_asked() -> None:
    asked = ask(function(message="{{ 'AA==' | base64_decode }}"), {}, MOMENT_MS)
    assert isinstance(asked, Refused)
    assert asked.kind is Kind.UNWORKABLE
