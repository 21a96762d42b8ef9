"""Plans: what makes the definitions of a playbook as the documents of a folder say, one step a definition."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sayso.cli import questions
from sayso.cli.check import A_NAME, Checked, Finding, is_name
from sayso.cli.documents import Document
from sayso.cli.door import Door
from sayso.cli.screen import Screen
from sayso.cli.text import visible
from sayso.core.values import Json

TYPE = "interaction"

# What a playbook has of each name, retired or not, without the sources.
Known = Mapping[str, dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Step:
    """What becomes of one definition. ``version`` is the one that it has before; ``diff`` is of an update alone."""

    action: Literal["create", "update", "unchanged", "retire"]
    name: str
    file: str | None = None
    source: str = ""
    version: int | None = None
    diff: str = ""

    def as_json(self) -> dict[str, Json]:
        """The step for a program."""
        return {
            "action": self.action,
            "name": self.name,
            "file": self.file,
            "version": self.version,
            "diff": self.diff or None,
        }


def known(door: Door) -> Known:
    """The definitions of the playbook, as its list has them."""
    found = questions.every(door, "list_definitions", "definitions", type=TYPE, include_retired=True)
    return {one["name"]: one for one in found}


def faults(wanted: Sequence[Checked], have: Known) -> Iterator[Finding]:
    """Why documents cannot be applied: what is wrong with them, and with their names."""
    first: dict[str, str] = {}
    for one in wanted:
        file, name = one.document.file, one.document.name
        detail = _name_fault(name, first, have)
        if detail:
            yield Finding(file=file, line=1, detail=detail)
        first.setdefault(name, file)
        yield from (finding for finding in one.findings if finding.level == "error")


def _name_fault(name: str, first: Mapping[str, str], have: Known) -> str | None:
    if not is_name(name):
        return f"A definition is named as its file is, without .md: {A_NAME}. Rename the file."
    if name in first:
        return f"The file {first[name]} has the same name, and a definition comes from one file. Rename one."
    if name in have and have[name]["status"] == "retired":
        return f"The definition {name} is retired, and its name is never used again. Rename the file."
    return None


def mistakable(others: Sequence[Document], gone: Sequence[str]) -> Iterator[Finding]:
    """Files without front matter that are named as what would be retired: their first line may be a slip."""
    for other in others:
        if other.name in gone:
            detail = f"Without a line of three hyphens here this is no document, and {other.name} would be retired."
            yield Finding(file=other.file, line=1, detail=detail)


def gone(wanted: Sequence[Checked], have: Known) -> list[str]:
    """The names of active definitions that no document has."""
    names = {one.document.name for one in wanted}
    return sorted(name for name, one in have.items() if one["status"] == "active" and name not in names)


def steps(door: Door, screen: Screen, wanted: Sequence[Checked], have: Known) -> list[Step]:
    """What to do for each document, compared with what stands in the playbook now."""
    return [
        _compared(one, door.perform("get_definition", type=TYPE, name=one.document.name))
        if one.document.name in have
        else Step(action="create", name=one.document.name, file=one.document.file, source=one.source)
        for one in screen.progress(wanted, "Comparing")
    ]


def retirements(names: Sequence[str], have: Known) -> list[Step]:
    """A step for each definition that goes."""
    return [Step(action="retire", name=name, version=have[name]["version"]) for name in names]


def _compared(one: Checked, stands: Mapping[str, Any]) -> Step:
    from sayso.app.differences import unified

    name, file, version = one.document.name, one.document.file, int(stands["version"])
    if stands["source"] == one.source:
        return Step(action="unchanged", name=name, file=file, version=version)
    diff = unified(stands["source"], one.source, f"{name} version {version}", visible(file))
    return Step(action="update", name=name, file=file, source=one.source, version=version, diff=diff)
