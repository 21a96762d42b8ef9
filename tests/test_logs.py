"""The log: a line each, for programs and for people, and no secret in either."""

import io
import json
import logging
import re
from collections.abc import Iterator

import pytest

from sayso import logs
from sayso.errors import Problem, Reason
from sayso.ports import CommitUnknown

KEY = "say_front-desk_" + "aB3-" * 10 + "xyz"
SECRETS = [
    f"Bearer {KEY}",
    f"the key {KEY} was sent",
    "authorization: bearer abc.def-ghi_jkl",
    "postgresql://clerk:hunter2@db.example.com/sayso",
    "https://hunter2@example.com/x",
    "https://clerk:a@hunter2@example.com/x",
    "AUTHORIZATION: BEARER abc.def-ghi_jkl",
]


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The root logger is the process's: leave it as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def started(form: str | None, level: str = "debug") -> io.StringIO:
    stream = io.StringIO()
    logs.start(stream, level=level, form=form)
    return stream


def test_a_line_is_one_json_object_with_its_moment_and_level() -> None:
    stream = started("json")
    logging.getLogger("sayso.test").warning("two\nlines of %s", "words", extra={"fields": {"status": 200}})
    (line,) = stream.getvalue().splitlines()
    said = json.loads(line)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", said.pop("time"))
    assert said == {"level": "warning", "logger": "sayso.test", "message": "two\nlines of words", "status": 200}


def test_words_for_people_stay_on_their_line() -> None:
    stream = started("pretty")
    logging.getLogger("sayso.test").info("two\nlines", extra={"fields": {"caller": "front-desk"}})
    assert re.fullmatch(r"\S{24} INFO sayso\.test: two\\nlines front-desk\n", stream.getvalue())


def test_where_nobody_looks_the_form_is_json() -> None:
    stream = started(None)
    logging.error("x")
    assert json.loads(stream.getvalue())["message"] == "x"


@pytest.mark.parametrize("form", ["json", "pretty"])
@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_of_a_known_form_is_hidden(form: str, secret: str) -> None:
    stream = started(form)
    logging.error("before %s after", secret)
    said = stream.getvalue()
    assert "[hidden]" in said
    assert not {"hunter2", "abc.def-ghi_jkl", KEY} & set(re.split(r"[\s:@/\"]", said))
    assert KEY[-43:] not in said


@pytest.mark.parametrize("form", ["json", "pretty"])
def test_of_an_exception_its_kind_and_its_way_are_told_and_not_its_words(form: str) -> None:
    stream = started(form)
    try:
        try:
            int("what a customer wrote")
        except ValueError as fault:
            raise RuntimeError("and an answer") from fault
    except RuntimeError:
        logging.exception("it failed")
    said = stream.getvalue()
    assert "RuntimeError" in said
    assert "ValueError" in said
    assert "test_logs.py" in said
    assert "customer wrote" not in said
    assert "an answer" not in said


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (CommitUnknown("commit: the disk is full"), "CommitUnknown: commit: the disk is full"),
        (Problem(Reason.INTERNAL, "what a customer wrote"), "Problem: internal"),
        (PermissionError(13, "Permission denied", "/a/customer"), "PermissionError: Permission denied"),
        (KeyError("customer"), "KeyError"),
    ],
)
def test_the_words_of_our_own_faults_are_told(fault: Exception, told: str) -> None:
    stream = started("json")
    logging.error("x", exc_info=fault)
    assert json.loads(stream.getvalue())["exception"] == [told]


def test_the_level_may_change() -> None:
    stream = started("json", level="warning")
    logging.info("first")
    logs.set_level("info")
    logging.info("second")
    logging.getLogger("uvicorn.error").info("third")
    assert [json.loads(line)["message"] for line in stream.getvalue().splitlines()] == ["second"]


def test_starting_anew_writes_each_line_once() -> None:
    started("json")
    stream = started("json")
    logging.error("x")
    assert len(stream.getvalue().splitlines()) == 1
