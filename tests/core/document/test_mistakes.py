"""A newcomer's test: each common mistake is told of once, at its line, in words that say what to write instead."""

import pytest

from sayso.core.document.parse import Function, parse
from tests.core.document.examples import refusal
from tests.core.document.mistakes import FILES, MISTAKES, Mistake

each_mistake = pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title)


def function(source: str) -> Function:
    return parse(source, name="newcomers-own")


@pytest.mark.parametrize("source", FILES, ids=FILES.get)
def test_the_documents_that_are_spoilt_are_sound(source: str) -> None:
    assert function(source).warnings == ()


@each_mistake
def test_it_is_told_of_once_at_its_line_with_what_to_write(mistake: Mistake) -> None:
    (issue,) = function(mistake.source).warnings if mistake.is_taken else refusal(mistake.source)
    assert issue.line == mistake.told_at
    assert mistake.fix in issue.detail


@each_mistake
def test_what_is_to_be_written_is_taken_without_a_warning(mistake: Mistake) -> None:
    assert mistake.corrected != mistake.source
    assert function(mistake.corrected).warnings == ()


@each_mistake
def test_its_words_are_sentences_of_no_grammar_of_a_parser(mistake: Mistake) -> None:
    (issue,) = function(mistake.source).warnings if mistake.is_taken else refusal(mistake.source)
    jargon = ("did not find", "while ", "mapping", "scalar", "token", "flow", "expected")
    assert [word for word in jargon if word in issue.detail] == []
    assert issue.detail.endswith((".", "?"))


def test_there_are_more_than_forty_of_all_shapes() -> None:
    assert len({mistake.title for mistake in MISTAKES}) == len(MISTAKES) > 40
    assert {mistake.base for mistake in MISTAKES} == FILES.keys()
