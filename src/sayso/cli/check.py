"""``sayso check``: function documents checked offline, each fault where an editor can go to it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from sayso.cli import documents
from sayso.cli.commands import AsJson
from sayso.cli.documents import SUFFIX, Document, Unreadable
from sayso.cli.refusals import Refused
from sayso.cli.screen import Screen
from sayso.cli.text import visible
from sayso.core.bounds import DOCUMENT_BYTES
from sayso.core.values import Json
from sayso.errors import Issue, Problem, Reason

if TYPE_CHECKING:
    from sayso.core.document.function import Function

_Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE", help="A document, a folder (its *.md that begin with ---), or - for standard input."
    ),
]
_Schema = Annotated[
    bool, typer.Option("--schema", help="Print the JSON Schema of the front matter, for editors, and check nothing.")
]

# What the name of a definition is.
A_NAME = "3 to 48 lower-case letters, digits and hyphens, a letter first"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is said of a file. ``line`` is None only where the file cannot be read."""

    file: str
    line: int | None
    at: str | None = None
    detail: str
    level: Literal["error", "warning"] = "error"


@dataclass(frozen=True, kw_only=True)
class Checked:
    """A document with what was found. ``function`` is None where it has errors."""

    document: Document
    source: str
    function: "Function | None"
    findings: tuple[Finding, ...]


def check(files: _Files = None, schema: _Schema = False, as_json: AsJson = False) -> None:
    """Check documents without a server, each fault at its line.

    A fault is written as file:line: message. Exit code 1 where one has a problem, 2 where a file cannot be read.
    Warnings are shown and do not count.
    """
    screen = Screen(as_json=as_json)
    if schema:
        screen.json(_published())
        return
    if not files:
        raise typer.BadParameter("Name a document, a folder, or - for standard input.", param_hint="FILE")
    found, twins, unread = _read(files)
    findings = [finding for one in screen.progress(found, "Checking") for finding in _findings(one, twins)]
    if as_json:
        screen.json([asdict(finding) for finding in (*findings, *unread)])
    else:
        show(screen, findings)
        for finding in unread:
            screen.note(f"sayso: {visible(finding.detail)}", "bold red")
        _summarise(screen, found, findings)
    errors = any(finding.level == "error" for finding in findings)
    raise typer.Exit(2 if unread else int(errors))


def _published() -> Json:
    from sayso.core.document.json_schema import front_matter_schema

    return front_matter_schema()


def _read(files: Sequence[str]) -> tuple[list[Document], dict[str, str], list[Finding]]:
    """The documents that can be read, those of one folder that share a name, and a finding for each word of no file."""
    found: list[Document] = []
    twins: dict[str, str] = {}
    unread: list[Finding] = []
    for file in files:
        try:
            given = documents.given(file)
        except Unreadable as fault:
            unread.append(Finding(file=fault.file, line=None, detail=str(fault)))
        else:
            found += given
            twins |= _twins(given)
    return found, twins, unread


def _twins(folder: Sequence[Document]) -> dict[str, str]:
    """The files of a folder that are named as one before them is, each with that one."""
    first: dict[str, str] = {}
    for document in folder:
        first.setdefault(document.name, document.file)
    return {one.file: first[one.name] for one in folder if first[one.name] != one.file}


def _findings(document: Document, twins: Mapping[str, str]) -> Iterator[Finding]:
    """What is said of a document, its name too: that of a pipe is nobody's choice."""
    file = document.file
    if file.lower().endswith(SUFFIX) and not is_name(document.name):
        said = (
            f"The file's name is no name for a definition: {A_NAME}. sayso apply refuses it; sayso save takes --name."
        )
        yield _warning(file, said)
    if file in twins:
        said = (
            f"The file {twins[file]} has the same name: a definition comes from one file, and sayso apply refuses two."
        )
        yield _warning(file, said)
    yield from checked(document).findings


def is_name(text: str) -> bool:
    """Whether a definition can have this name."""
    from sayso.app.inputs import NAME

    return re.fullmatch(NAME, text) is not None


def checked(document: Document) -> Checked:
    """What a document is, and all that is wrong with it, whatever bytes it holds."""
    from sayso.core.document.parse import parse

    source, function = "", None
    try:
        source = _text(document)
        function = parse(source, name=document.name)
    except Problem as problem:
        findings = [_finding(document.file, issue) for issue in problem.issues]
    else:
        findings = [_finding(document.file, issue, "warning") for issue in function.warnings]
    return Checked(document=document, source=source, function=function, findings=tuple(findings))


def _text(document: Document) -> str:
    if len(document.content) > DOCUMENT_BYTES:
        raise _problem(1, f"The document is larger than {DOCUMENT_BYTES:,} bytes.")
    try:
        return document.content.decode()
    except UnicodeDecodeError as fault:
        line = document.content.count(b"\n", 0, fault.start) + 1
        raise _problem(line, "The document is not text in UTF-8 here.") from None


def _problem(line: int, detail: str) -> Problem:
    return Problem(Reason.INVALID_INPUT, detail, issues=(Issue(detail=detail, pointer="/source", line=line),))


def _finding(file: str, issue: Issue, level: Literal["error", "warning"] = "error") -> Finding:
    detail = issue.detail.removeprefix(f"Line {issue.line}: ")
    return Finding(file=file, line=issue.line, at=issue.at, detail=detail, level=level)


def _warning(file: str, detail: str) -> Finding:
    return Finding(file=file, line=1, detail=detail, level="warning")


def show(screen: Screen, findings: Sequence[Finding]) -> None:
    """Each finding on a line of its own."""
    for finding in findings:
        screen.line(line_of(finding), "yellow" if finding.level == "warning" else "")


def line_of(finding: Finding) -> str:
    """A finding as compilers write them."""
    level = "warning: " if finding.level == "warning" else ""
    return visible(f"{finding.file}:{finding.line}: {level}{finding.detail}")


def refuse(screen: Screen, faults: Sequence[Finding], said: str, advice: str | None = None) -> NoReturn:
    """Show what is wrong and refuse to go on: for a person each fault on its line, for a program all in the problem."""
    document: dict[str, Json] = {"type": "about:blank", "title": "Invalid input", "detail": said}
    document["reason"] = Reason.INVALID_INPUT.value
    if screen.as_json:
        document["errors"] = [asdict(fault) for fault in faults]
    else:
        show(screen, faults)
    raise Refused(document, advice)


def _summarise(screen: Screen, found: Sequence[Document], findings: Sequence[Finding]) -> None:
    if not found:
        screen.note("There is no document: in a folder, those are the *.md that begin with a line of three hyphens.")
    elif screen.is_terminal:
        errors = sum(finding.level == "error" for finding in findings)
        told = [counted(len(found), "document"), counted(errors, "problem"), counted(len(findings) - errors, "warning")]
        screen.note(", ".join(told) + ".")


def counted(number: int, thing: str) -> str:
    """So many of a thing, in words."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
