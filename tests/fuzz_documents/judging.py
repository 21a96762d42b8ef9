"""What is promised of every document and of every rendering, and what of it was not kept."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from sayso.core.bounds import ARGUMENTS_BYTES, ISSUES_SHOWN
from sayso.core.templates.rendering import RenderRefused
from sayso.core.values import Json, compact
from sayso.errors import Issue, Problem, Reason

# The longest words of a refusal, and as much of the document's own text as they may repeat.
WORDS_CHARACTERS = 1_000
REPEATED_CHARACTERS = 300

# An overview, and the titles of all its sections.
OVERVIEW_BYTES = 65_536
SECTIONS = (
    *("What it needs", "Who it asks", "What it sends", "What it reads", "Where", "How long it waits"),
    *("What answer it expects", "How replies are read", "Used by"),
)

_HEADING = re.compile(r"^ {0,3}(#{1,6}(?:[ \t].*)?)$", re.MULTILINE)
_UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_POINTER = re.compile(r"(?:/(?:[^/~]|~[01])*)*")
_LONG = re.compile(rf"[^\n]{{{REPEATED_CHARACTERS},}}")


def of_refusal(source: str, problem: Problem) -> Iterator[str]:
    """What is wrong with how a document was refused."""
    if problem.reason is not Reason.INVALID_INPUT or not problem.issues:
        yield f"refused as {problem.reason} with {len(problem.issues)} issues"
        return
    if len(problem.issues) > ISSUES_SHOWN + 1:
        yield f"{len(problem.issues)} issues"
    yield from of_issues(source, problem.issues)
    yield from _of_words(source, problem.detail)


def of_issues(source: str, issues: Sequence[Issue]) -> Iterator[str]:
    """What is wrong with what is said of single lines of a document, be it refused or not."""
    lines = [issue.line or 0 for issue in issues]
    last = len(re.split("\r\n|\r|\n", source)) + 1
    if any(not 1 <= line <= last for line in lines):
        yield f"lines {lines} of a document of {last - 1}"
    elif lines != sorted(lines):
        yield f"lines out of order: {lines}"
    for issue in issues:
        if issue.pointer != "/source":
            yield f"an issue at {issue.pointer}"
        if issue.at is not None and not _POINTER.fullmatch(issue.at):
            yield f"no pointer: {issue.at[:200]!r}"
        yield from _of_words(source, issue.detail)


def _of_words(source: str, words: str) -> Iterator[str]:
    if not words.strip() or _CONTROL.search(words):
        yield f"words that are none, or of more than a line: {words[:200]!r}"
    if len(words) > WORDS_CHARACTERS:
        yield f"{len(words):,} characters of words: {words[:120]!r}"
    elif any(found[0][:REPEATED_CHARACTERS] in words for found in _LONG.finditer(source)):
        yield f"a long value is repeated: {words[:120]!r}"


def of_slips(slips: Iterable[tuple[object, str]]) -> Iterator[str]:
    """What is wrong with the words for what was not taken of a template or of arguments."""
    for _, detail in slips:
        yield from _of_words("", detail)


def of_answer(issues: Sequence[Issue]) -> Iterator[str]:
    """What is wrong with what is said of an answer that does not fit its schema."""
    if len(issues) > ISSUES_SHOWN + 1:
        yield f"{len(issues)} issues of an answer"
    for issue in issues:
        if not issue.pointer.startswith("/answer") or not _POINTER.fullmatch(issue.pointer):
            yield f"an issue of an answer at {issue.pointer[:200]!r}"
        yield from _of_words("", issue.detail)


def of_trial(problem: Problem) -> Iterator[str]:
    """What is wrong with how a run that was tried would end."""
    if problem.reason not in (Reason.INVALID_INPUT, Reason.CONFLICT):
        yield f"a trial refused as {problem.reason}"
    yield from _of_words("", problem.detail)


def of_rendering(refusal: RenderRefused) -> Iterator[str]:
    """What is wrong with how a rendering was refused."""
    if refusal.reason not in ("invalid_input", "unworkable"):
        yield f"a rendering refused as {refusal.reason}"
    if refusal.reason == "invalid_input" and not _POINTER.fullmatch(refusal.pointer or "/input"):
        yield f"no pointer: {refusal.pointer!r}"
    yield from _of_words("", refusal.detail)


def of_text(text: object, limit: int) -> Iterator[str]:
    """What is wrong with a rendered text."""
    if not isinstance(text, str):
        yield f"a template rendered {type(text)}"
    elif len(text.encode(errors="surrogatepass")) > limit:
        yield f"a template rendered more than {limit:,} bytes"


def of_arguments(rendered: Json) -> Iterator[str]:
    """What is wrong with rendered arguments."""
    if not isinstance(rendered, dict):
        yield f"arguments rendered {type(rendered)}"
        return
    try:
        text = compact(rendered)
    except (ValueError, TypeError, RecursionError) as error:
        yield f"arguments that are no JSON: {error}"
        return
    if len(text.encode(errors="surrogatepass")) > ARGUMENTS_BYTES:
        yield f"arguments of {len(text):,} characters"
    elif json.loads(text) != rendered:
        yield "arguments that are not the JSON that is sent"


def of_overview(said: object) -> Iterator[str]:
    """What is wrong with an overview."""
    if not isinstance(said, str):
        yield f"an overview is {said!r}"
        return
    if len(said.encode(errors="surrogatepass")) > OVERVIEW_BYTES:
        yield f"an overview of {len(said):,} characters"
    headings = _HEADING.findall(said)
    if len(headings) != len(set(headings)) or not {*headings} <= {f"## {title}" for title in SECTIONS}:
        yield f"headings that are somebody's words: {headings}"
    if found := _UNSHOWN.search(said):
        yield f"an overview shows {found[0]!r}"
