"""``sayso apply``: the documents of a folder become the definitions of a playbook. Looked at first, all of it."""

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from sayso.cli import check, documents, keyboard, plan
from sayso.cli.check import Checked, Finding, counted
from sayso.cli.commands import Session, at_a_door
from sayso.cli.documents import Unreadable
from sayso.cli.plan import TYPE, Step
from sayso.cli.refusals import Refused, not_possible
from sayso.cli.screen import Screen
from sayso.cli.text import visible
from sayso.core.values import Json

_Folder = Annotated[str, typer.Argument(metavar="DIR", help="The folder; its *.md that begin with --- are documents.")]
_Prune = Annotated[bool, typer.Option("--prune", help="Retire, for good, the definitions that no document has.")]
_DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and change nothing.")]
_Yes = Annotated[bool, typer.Option("--yes", help="Retire without asking.")]

# How many names somebody reads who is told where it stopped.
SOME = 8

_DONE = {"create": "created", "update": "updated", "unchanged": "unchanged", "retire": "retired"}
_STYLES = {"create": "green", "update": "yellow", "retire": "red"}


@at_a_door
def apply(
    session: Session, folder: _Folder, prune: _Prune = False, dry_run: _DryRun = False, yes: _Yes = False
) -> None:
    """Save the documents of a folder as definitions.

    Each becomes the definition that its file names. Nothing is done where one has a problem. What is already so stays
    unchanged, so it can be run again at any time.
    """
    if prune and not (yes or dry_run or sys.stdin.isatty()):
        raise typer.BadParameter(
            "--prune retires definitions for good: say --yes (or --dry-run) where nobody is asked."
        )
    steps = _planned(session, folder, prune)
    if not dry_run:
        _ask_to_retire(steps, yes)
    done = [_shown(session.screen, step) if dry_run else _done(session, steps, step) for step in steps]
    totals = Counter(_DONE[step.action] for step in steps)
    if session.screen.as_json:
        summary: Json = {word: totals[word] for word in _DONE.values()}
        session.screen.json({"dry_run": dry_run, "definitions": done, "summary": summary})
    else:
        told = ", ".join(f"{number} {word}" for word in _DONE.values() if (number := totals[word]))
        session.screen.note(f"Nothing was changed. It would be: {told}." if dry_run else f"{told}.")


def _planned(session: Session, folder: str, prune: bool) -> list[Step]:
    """The steps, retirements last. Refused where a document has a problem, with all of them."""
    read = _read(folder)
    wanted = [check.checked(one) for one in session.screen.progress(read.documents, "Checking")]
    have = plan.known(session.door)
    gone = plan.gone(wanted, have) if prune else []
    _refuse(session.screen, [*plan.faults(wanted, have), *plan.mistakable(read.others, gone)])
    _warn(session.screen, wanted)
    return [*plan.steps(session.door, session.screen, wanted, have), *plan.retirements(gone, have)]


def _read(folder: str) -> documents.Folder:
    try:
        read = documents.in_folder(folder)
    except Unreadable as fault:
        raise not_possible(visible(str(fault))) from None
    if not read.documents:
        detail = f"The folder {visible(folder)} has no documents."
        raise not_possible(detail, "Those are the *.md in it that begin with a line of three hyphens.")
    return read


def _refuse(screen: Screen, faults: Sequence[Finding]) -> None:
    if faults:
        files = counted(len({fault.file for fault in faults}), "file")
        said = f"Nothing was applied: {counted(len(faults), 'problem')} in {files}."
        taken = "Every *.md below the folder that begins with a line of three hyphens is read as a document."
        check.refuse(screen, faults, said, taken)


def _warn(screen: Screen, wanted: Sequence[Checked]) -> None:
    for warning in (finding for one in wanted for finding in one.findings):
        screen.note(check.line_of(warning), "yellow")


def _ask_to_retire(steps: Sequence[Step], yes: bool) -> None:
    names = ", ".join(visible(step.name) for step in steps if step.action == "retire")
    if names and not yes and not keyboard.is_sure(f"Retire for good {names}? A retired name is never used again."):
        raise not_possible("Nothing was applied.")


def _done(session: Session, steps: Sequence[Step], step: Step) -> Json:
    """Do a step. Where it is refused, what was done before it stands, and the refusal says so."""
    try:
        made = _perform(session, step)
    except Refused as refused:
        raise _stopped(refused, steps, step) from None
    return _shown(session.screen, step, made)


def _perform(session: Session, step: Step) -> int | None:
    """The version that a definition has after its step."""
    door, name = session.door, step.name
    match step.action:
        case "create":
            made = door.perform("create_definition", type=TYPE, name=name, source=step.source)
        case "update":
            fields: dict[str, Json] = {"source": step.source, "expected_version": step.version}
            made = door.perform("update_definition", type=TYPE, name=name, **fields)
        case "retire":
            made = door.perform("retire_definition", type=TYPE, name=name)
        case "unchanged":
            return step.version
    return int(made["version"])


def _stopped(refused: Refused, steps: Sequence[Step], step: Step) -> Refused:
    changes = [one for one in steps if one.action != "unchanged"]
    at = changes.index(step)
    done, left = [one.name for one in changes[:at]], [one.name for one in changes[at:]]
    advice = (
        f"Applied before it: {_some(done) or 'nothing'}. Not applied: {_some(left)}. "
        "Apply again when this is settled: what is done is then unchanged."
    )
    document = refused.document | {"definition": step.name, "applied": done, "not_applied": left}
    return Refused(document, advice, f"{step.name}: {refused.words}")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SOME} more" if len(names) > SOME else ""
    return f"{', '.join(names[:SOME])}{more}"


def _shown(screen: Screen, step: Step, version: int | None = None) -> Json:
    """Show what a step would do, or with the ``version`` after it what it has done; the same for a program."""
    word = step.action if version is None else _DONE[step.action]
    stands = version or step.version
    if not screen.as_json:
        screen.diff(step.diff)
        cells = (word, step.name, "" if stands is None else f"version {stands}", step.file or "")
        screen.row(cells, _STYLES.get(step.action, ""))
    return step.as_json() | {"action": word, "version": stands}
