"""The checks of one value each: what is written at a path of the format, or None and a fault that says what to write.

None also stands for what is left out, and for what the reading or the structure told of: one mistake is told of once.
"""

import re
from collections.abc import Callable, Mapping
from typing import Literal

from sayso.core import pointers
from sayso.core.bounds import DESCRIPTION_CHARACTERS
from sayso.core.document.faults import Fault, Path
from sayso.core.document.format import key_at, shape_of
from sayso.core.document.front_matter import FrontMatter
from sayso.core.document.structure import Structure
from sayso.core.durations import NotADuration
from sayso.core.pointers import NOTHING, Nothing
from sayso.core.schemas.schema import Schema
from sayso.core.templates.arguments import Arguments, compile_arguments
from sayso.core.templates.place import PLACES, Place
from sayso.core.templates.template import Template, compile_template
from sayso.core.values import Json

At = tuple[str, ...]
Order = Literal["oldest_first", "newest_first"]

_ORDERS: Mapping[str, Order] = {"oldest_first": "oldest_first", "newest_first": "newest_first"}
_SERVER = re.compile(r"[a-z][a-z0-9-]{0,31}")
_TOOL = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_COMMENT = "{} is empty: what follows # is a comment. Put quotes around a text that begins with #."
_UNLIKELY = re.compile(r"\w\.\w|\w\[")


class Checks:
    """The checks of one document.

    ``faults`` are all that was found: by the reading, of the structure, and since. ``doubts`` are what is taken, and
    will hardly do what its author meant.
    """

    def __init__(self, front: FrontMatter) -> None:
        self.front = front
        self.shape = shape_of(front.fields)
        structure = Structure(front, self.shape)
        self.told = structure.told
        self.faults: list[Fault] = [*front.faults, *structure.faults]
        self.doubts: list[Fault] = []

    def fault(self, path: Path, detail: str) -> None:
        """Tell of a fault in the front matter, at its line or the line of what it is missing in."""
        self.faults.append(Fault(line=self.front.line(path), path=path, detail=detail))

    def body_fault(self, line: int, detail: str) -> None:
        """Tell of a fault below the front matter."""
        self.faults.append(Fault(line=line, detail=detail))

    def doubt(self, path: Path, detail: str) -> None:
        """Warn of something in the front matter, at its line."""
        self.doubts.append(Fault(line=self.front.line(path), path=path, detail=detail))

    def body_doubt(self, line: int, detail: str) -> None:
        """Warn of something below the front matter."""
        self.doubts.append(Fault(line=line, detail=detail))

    def written(self, path: At) -> Json | Nothing:
        """What is to be judged at a path: nothing where nothing is written, or where a fault was told of before."""
        return NOTHING if path in self.told or self.front.is_damaged(path) else self._at(path)

    def has(self, path: At) -> bool:
        """Whether something is written at a path, or was meant to be."""
        return path in self.told or self._at(path) is not NOTHING

    def _at(self, path: At) -> Json | Nothing:
        value: Json = self.front.fields
        for name in path:
            if not isinstance(value, dict) or name not in value:
                return NOTHING
            value = value[name]
        return value

    def text(self, path: At) -> str | None:
        """A text that is written as one."""
        value = self.written(path)
        if value is NOTHING or isinstance(value, str):
            return None if value is NOTHING else value
        is_comment = value is None and self.front.is_comment(path)
        self.fault(path, _COMMENT.format(named(path)) if is_comment else _no_text(path, value))
        return None

    def description(self) -> str | None:
        """What the function is for."""
        text = self.text(("description",))
        if text is not None and not 1 <= len(text) <= DESCRIPTION_CHARACTERS:
            self.fault(("description",), f"description has 1 to {DESCRIPTION_CHARACTERS:,} characters.")
        return text

    def server(self, path: At) -> str | None:
        """The name of a tool server. Whether there is such a server is found out when it is needed."""
        words = (
            "is a server's name, and no address: 1 to 32 lower-case letters, digits and hyphens, with a letter first"
        )
        return self._fitting(path, _SERVER.fullmatch, words)

    def tool(self, path: At) -> str | None:
        """The name of a tool."""
        words = "is a tool's name, without its server's: 1 to 128 letters, digits and any of _ . -"
        return self._fitting(path, _TOOL.fullmatch, words)

    def order(self, path: At) -> Order | None:
        """The order in which a tool lists messages."""
        text = self._fitting(path, _ORDERS.get, "is oldest_first or newest_first, as the tool lists them")
        return None if text is None else _ORDERS[text]

    def _fitting(self, path: At, fits: Callable[[str], object], words: str) -> str | None:
        text = self.text(path)
        if text is None or fits(text):
            return text
        self.fault(path, f"{named(path)} {words}. Write it as in {as_example(path)}.")
        return None

    def pointer(self, path: At) -> str | None:
        """A JSON Pointer; the empty one is refused everywhere."""
        text = self.text(path)
        if text is None or pointers.is_pointer(text):
            if text and _UNLIKELY.search(text):
                words = (
                    "has a dot or a bracket in a name. Below a name and in a list, a slash comes first: /messages/0."
                )
                self.doubt(path, f"{named(path)} {words}")
            return text
        self.fault(path, f"{named(path)} is a JSON Pointer such as {key_at(path).example}. {_of_pointer(text, path)}")
        return None

    def duration_ms(self, path: At, read: Callable[[Json], int]) -> int | None:
        """How long something takes; ``read`` knows between which bounds it lies."""
        value = self.written(path)
        if value is NOTHING:
            return None
        try:
            return read(value)
        except NotADuration as refusal:
            self.fault(path, f"{named(path)} {refusal}.")
            return None

    def template(self, path: At, input_schema: Schema | None = None, default: str | None = None) -> Template | None:
        """A template of a name that is not empty; that of ``default`` where it is left out."""
        source = self.text(path)
        source = default if source is None else source
        if source is None:
            return None
        if not source.strip():
            self.fault(path, f"{named(path)} is empty. Write {as_example(path)}.")
            return None
        compiled = compile_template(source, _place(path), input_schema)
        if isinstance(compiled, Template):
            for doubt in compiled.doubts:
                self.doubt(path, doubt.detail)
            return compiled
        for slip in compiled:
            self.fault(path, slip.detail)
        return None

    def arguments(self, path: At, input_schema: Schema | None = None) -> Arguments | None:
        """The arguments of a tool; none where they are left out."""
        value = self.written(path)
        value = {} if value is NOTHING else value
        if not isinstance(value, dict):
            none = "; for none write with: {}" if value is None else ""
            words = f"{named(path)} gives the tool's arguments by their names. Write {as_example(path)}{none}."
            self.fault(path, words)
            return None
        compiled = compile_arguments(value, _place(path), input_schema)
        if isinstance(compiled, Arguments):
            for doubt in compiled.doubts:
                self.doubt((*path, *doubt.path), doubt.detail)
            return compiled
        for found in compiled:
            self.fault((*path, *found.path), found.detail)
        return None


def named(path: At) -> str:
    """A path as a person reads it: ``deliver.tool``."""
    return ".".join(path)


def as_example(path: At) -> str:
    """The key of a path as it may be written."""
    return f"{path[-1]}: {key_at(path).example}"


def _place(path: At) -> Place:
    place = key_at(path).place
    assert place is not None, "a key of templates has a place"
    return PLACES[place]


def _no_text(path: At, value: Json) -> str:
    if value is None:
        return f"{named(path)} is empty. Write {as_example(path)}."
    if isinstance(value, list | dict):
        kind = "list" if isinstance(value, list) else "mapping"
        return f"{named(path)} is one text, and no {kind}. Write it as in {as_example(path)}."
    return f"{named(path)} is a text. Put quotes around it."


def _of_pointer(text: str, path: At) -> str:
    default = key_at(path).default
    if not text:
        return f"An empty one is not taken.{'' if default is None else f' Leave it out for {default}.'}"
    if "{" in text:
        return "It is not rendered, and takes no template."
    if text.startswith(("$", "#")):
        return f"Leave the {text[0]} out, and put a slash before each name."
    if not text.startswith("/"):
        parts = ", and one in the place of each dot" if "." in text else ""
        return f"It starts with a slash: put one before the first name{parts}."
    return "In a name, ~ is written as ~0 and a slash as ~1."
