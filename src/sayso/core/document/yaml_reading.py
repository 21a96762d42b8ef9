"""YAML as a document may write it: values with the line of every key and item, built from the parser's events.

No ready loader keeps the lines of keys, and each resolves what a document may not use: anchors, aliases, tags, merge
keys, keys written twice. Here each of them is a fault at its line, and reading goes on to find the next.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from sayso.core.bounds import FRONT_MATTER_DEPTH
from sayso.core.document import scalars
from sayso.core.document.faults import Fault, Faulty, Path
from sayso.core.document.yaml_words import ODD_BLANKS, PLAIN_BLANK, QUOTE_IT, unread
from sayso.core.values import Json

Loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_COLLECTIONS = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
_ENDS = (yaml.SequenceEndEvent, yaml.MappingEndEvent)

# YAML 1.1 breaks lines at these, YAML 1.2 does not, and the parser is of 1.1: it is shown other characters for them.
_BREAKS_OF_1_1 = "\x85\u2028\u2029"
_SPARE = range(0xE000, 0xF8FF)

_ODD = re.compile(f"[{ODD_BLANKS}]")

# NUL and lone surrogates: no store keeps them, and no JSON text in UTF-8 can hold the second.
UNKEPT = re.compile("[\x00\ud800-\udfff]")
# What no parser of YAML takes, quoted or not.
UNTYPED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What was read: the value (None: there is none), line and column of each path, faults that let it go on."""

    value: Json
    lines: Mapping[Path, int]
    columns: Mapping[Path, int]
    faults: tuple[Fault, ...]


def read(text: str, first_line: int, what: str = "front matter") -> Reading:
    """Read one YAML document that begins at ``first_line`` of the whole. Raises Faulty where it cannot go on.

    ``what`` is what faults call it.
    """
    reader = _Reader(text, first_line, what)
    value = reader.document()
    return Reading(value=value, lines=reader.lines, columns=reader.columns, faults=tuple(reader.faults))


class _Reader:
    def __init__(self, text: str, first_line: int, what: str) -> None:
        self._text = text
        self._what = what
        self._first_line = first_line
        spare = (chr(code) for code in _SPARE if chr(code) not in text)
        self._shown = {ord(mark): next(spare) for mark in _BREAKS_OF_1_1 if mark in text}
        self._meant = {ord(stand_in): chr(code) for code, stand_in in self._shown.items()}
        self._loader = Loader(text.translate(self._shown))
        self.lines: dict[Path, int] = {}
        self.columns: dict[Path, int] = {}
        self.faults: list[Fault] = []

    def document(self) -> Json:
        """The one document of the text; None when it has none."""
        try:
            self._next()
            if isinstance(self._next(), yaml.StreamEndEvent):
                return None
            value = self._value(self._next(), ())
            self._next()
            after = self._next()
        except yaml.MarkedYAMLError as error:
            raise self._unreadable(error) from None
        if not isinstance(after, yaml.StreamEndEvent):
            detail = f"The {self._what} is one YAML document, and a second begins here."
            raise self._stopped(self._line(after), (), detail)
        return value

    def _next(self) -> Any:
        return self._loader.get_event()

    def _line(self, event: Any) -> int:
        return int(event.start_mark.line) + self._first_line

    def _mark(self, event: Any, path: Path) -> None:
        self.lines[path] = self._line(event)
        self.columns[path] = int(event.start_mark.column) + 1

    def _add(self, event: Any, path: Path, detail: str) -> None:
        column = int(event.start_mark.column) + 1
        self.faults.append(Fault(line=self._line(event), path=path, detail=detail, column=column))

    def _stopped(self, line: int, path: Path, detail: str) -> Faulty:
        return Faulty([*self.faults, Fault(line=line, path=path, detail=detail)])

    def _unreadable(self, error: yaml.MarkedYAMLError) -> Faulty:
        found = unread(error, self._text)
        line = found.line + self._first_line
        told = self.faults and self.faults[-1].line == line and QUOTE_IT in self.faults[-1].detail
        return Faulty(self.faults) if told else self._stopped(line, (), found.detail)

    def _value(self, event: Any, path: Path) -> Json:
        if path not in self.lines:
            self._mark(event, path)
        self._refuse_marks(event, path)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        if isinstance(event, yaml.AliasEvent):
            return None
        if len(path) >= FRONT_MATTER_DEPTH:
            detail = f"The {self._what} nests past {FRONT_MATTER_DEPTH} levels."
            raise self._stopped(self._line(event), path, detail)
        return self._list(path) if isinstance(event, yaml.SequenceStartEvent) else self._mapping(path)

    def _refuse_marks(self, event: Any, path: Path) -> None:
        if isinstance(event, yaml.AliasEvent):
            self._add(
                event,
                path,
                "An alias (*) is not taken: write the value out, or put a text that begins with * in quotes.",
            )
        elif event.anchor is not None:
            self._add(
                event,
                path,
                "An anchor (&) is not taken: write the value out where it is needed, or put quotes around it.",
            )
        elif event.tag is not None:
            self._add(event, path, "A tag (!) is not taken: leave it out, or put a text that begins with ! in quotes.")

    def _scalar(self, event: yaml.ScalarEvent, path: Path) -> Json:
        text = event.value.translate(self._meant)
        if UNKEPT.search(text):  # written as an escape, or it would have been found before
            self._add(event, path, "The value holds a character that cannot be kept.")
            return None
        if event.style:  # quoted or a block; a plain scalar's style is "" or None, as the parser likes
            return text
        try:
            return scalars.resolve(text)
        except scalars.NotAValue as refusal:
            self._add(event, path, f"The value {refusal}.")
            return None

    def _list(self, path: Path) -> list[Json]:
        items: list[Json] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._value(event, (*path, len(items))))
        return items

    def _mapping(self, path: Path) -> dict[str, Json]:
        members: dict[str, Json] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event, path, members)
            if key is None:
                self._skip(self._next())
                continue
            self._mark(event, (*path, key))
            members[key] = self._value(self._next(), (*path, key))
        return members

    def _key(self, event: Any, path: Path, members: dict[str, Json]) -> str | None:
        """The key as text, whatever its look; None if it is a fault, whose value is then passed over."""
        if not isinstance(event, yaml.ScalarEvent):
            is_template = self._text[event.start_mark.index - 1 :].startswith("{{")
            self._add(event, path, QUOTE_IT if is_template else "A key is a text, and no list, mapping or alias.")
            self._skip(event)
            return None
        key = event.value.translate(self._meant)
        if UNKEPT.search(key):
            self._add(event, path, "The key holds a character that cannot be kept.")
            return None
        self._refuse_marks(event, (*path, key))
        if _ODD.match(key) and not event.style:
            raise self._stopped(self._line(event), path, PLAIN_BLANK)
        if key == "<<" and not event.style:
            self._add(event, (*path, key), "A merge key (<<) is not taken: write the members out.")
            return None
        if key in members:
            self._add(
                event, (*path, key), f"The key is written twice; the first is at line {self.lines[(*path, key)]}."
            )
            return None
        return key

    def _skip(self, event: Any) -> None:
        depth = 0
        while True:
            depth += isinstance(event, _COLLECTIONS) - isinstance(event, _ENDS)
            if depth == 0:
                return
            event = self._next()
