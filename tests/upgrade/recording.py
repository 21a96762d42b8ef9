"""A recording: the statements that a release ran in the main job, with their values and what came of each.

A line a statement, its text by number, since most are run again and again; a line before the first of each step.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "recorded"
# The step in which a release makes its tables.
MAKING = "make the store"


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A statement of a step, and by which method of its connection it was run."""

    step: str
    text: str
    values: Sequence[Any]
    method: str
    outcome: str


@dataclass
class Tape:
    """What all connections ran, in the order in which it was done."""

    step: str = MAKING
    statements: list[Statement] = field(default_factory=list)

    def keep(self, text: str, values: Sequence[Any], method: str, outcome: str) -> None:
        """One statement more."""
        self.statements.append(Statement(step=self.step, text=text, values=values, method=method, outcome=outcome))


def digest_of(text: str, rows: Iterable[Sequence[Any]]) -> str:
    """The rows that came of a statement, in their order if it says one."""
    told = [json.dumps(list(row), default=_cell) for row in rows]
    told = told if "order by" in text else sorted(told)
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def recordings(store: str) -> list[Path]:
    """The recordings of all releases on a kind of store."""
    return sorted(FOLDER.glob(f"*.{store}.jsonl"))


def write(path: Path, statements: Iterable[Statement]) -> None:
    """Write a recording."""
    texts: dict[str, int] = {}
    step = ""
    with path.open("w", encoding="utf-8") as file:
        for one in statements:
            if one.step != step:
                step = one.step
                file.write(json.dumps({"step": step}) + "\n")
            if one.text not in texts:
                texts[one.text] = len(texts)
                file.write(json.dumps({"text": one.text}, ensure_ascii=False) + "\n")
            line = [texts[one.text], one.values, one.method, one.outcome]
            file.write(json.dumps(line, default=_cell, ensure_ascii=False, separators=(",", ":")) + "\n")


def read(path: Path) -> Iterator[Statement]:
    """The statements of a recording, in order."""
    texts: list[str] = []
    step = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        match json.loads(line, object_hook=_bytes):
            case {"step": str(step)}:
                pass
            case {"text": str(text)}:
                texts.append(text)
            case [int(number), list(values), str(method), str(outcome)]:
                yield Statement(step=step, text=texts[number], values=values, method=method, outcome=outcome)
            case other:
                raise ValueError(f"no line of a recording: {other}")


def _cell(value: Any) -> Any:
    """Bytes, also within JSON."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    raise TypeError(f"no cell: {value!r}")


def _bytes(members: dict[str, Any]) -> Any:
    return bytes.fromhex(members["hex"]) if members.keys() == {"hex"} else members
