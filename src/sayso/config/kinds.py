"""Kinds of settings: what each takes as a text of the environment and as a value of the file, and how it is shown."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso import address
from sayso.config.refusal import Unfit
from sayso.core import durations
from sayso.core.values import Json

PORT_MAX = 65_535

_ADDRESS = r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}"


class Kind(ABC):
    """What a setting takes. Each method that is given a value raises Unfit for one that it does not take."""

    @abstractmethod
    def from_text(self, text: str) -> Any:
        """The value that a text of the environment says."""

    def from_json(self, value: Json) -> Any:
        """The value that a value of the file says."""
        if not isinstance(value, str):
            raise Unfit("must be a text")
        return self.from_text(value)

    def check(self, value: Any) -> None:  # noqa: B027  most take whatever is of the type
        """Refuse a value that is of the type and still cannot be, wherever it came from."""

    def schema(self) -> Mapping[str, Json]:
        """What the published schema says of the value in a file."""
        return {"type": "string", "minLength": 1}

    def shown(self, value: Any) -> str:
        """The value as anybody may see it."""
        return str(value)


@dataclass(frozen=True)
class Text(Kind):
    """A text, of a form where ``pattern`` says one."""

    pattern: str | None = None
    needs: str = ""

    def from_text(self, text: str) -> str:
        """The text itself."""
        return text

    def check(self, value: str) -> None:
        """Refuse another form."""
        if self.pattern is not None and not re.fullmatch(self.pattern, value):
            raise Unfit(self.needs)

    def schema(self) -> Mapping[str, Json]:
        """A string of the form."""
        return super().schema() if self.pattern is None else {"type": "string", "pattern": f"^(?:{self.pattern})$"}


class DatabaseUrl(Text):
    """The address of a database. Settings judge its form, which no pattern can."""

    def shown(self, value: str) -> str:
        """Without user, password and options."""
        return address.shown(value)


class Address(Text):
    """A host and a port."""

    def __init__(self) -> None:
        super().__init__(_ADDRESS, "must be a host and a port, such as 127.0.0.1:9090")

    def check(self, value: str) -> None:
        """Refuse another form, and a port that none is."""
        super().check(value)
        if int(value.rpartition(":")[2]) > PORT_MAX:
            raise Unfit(self.needs)


class File(Kind):
    """The path of a file or a folder."""

    def from_text(self, text: str) -> Path:
        """The path."""
        return Path(text)


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number within bounds."""

    least: int
    most: int

    def from_text(self, text: str) -> int:
        """The number."""
        if not re.fullmatch(r"[0-9]{1,9}", text):
            raise Unfit("must be a whole number")
        return int(text)

    def from_json(self, value: Json) -> int:
        """The number, which has no quotes."""
        if type(value) is not int:
            raise Unfit("must be a whole number, without quotes")
        return value

    def check(self, value: int) -> None:
        """Refuse one out of bounds."""
        if not self.least <= value <= self.most:
            raise Unfit(f"must be a whole number from {self.least:,} to {self.most:,}")

    def schema(self) -> Mapping[str, Json]:
        """An integer within the bounds."""
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


class Truth(Kind):
    """Yes or no."""

    def from_text(self, text: str) -> bool:
        """Exactly true or false."""
        if text not in {"true", "false"}:
            raise Unfit("must be true or false")
        return text == "true"

    def from_json(self, value: Json) -> bool:
        """Exactly true or false, without quotes."""
        if type(value) is not bool:
            raise Unfit("must be true or false, without quotes")
        return value

    def schema(self) -> Mapping[str, Json]:
        """A boolean."""
        return {"type": "boolean"}

    def shown(self, value: bool) -> str:
        """As it is written."""
        return "true" if value else "false"


@dataclass(frozen=True)
class Choice(Kind):
    """One of a few words."""

    words: tuple[str, ...]

    def from_text(self, text: str) -> str:
        """The word."""
        return text

    def check(self, value: str) -> None:
        """Refuse every other."""
        if value not in self.words:
            raise Unfit(f"must be one of {', '.join(self.words)}")

    def schema(self) -> Mapping[str, Json]:
        """One of the words."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class Duration(Kind):
    """A duration, kept in milliseconds."""

    least_ms: int
    most_ms: int
    needs: str

    def from_text(self, text: str) -> int:
        """The milliseconds of an ISO 8601 duration."""
        try:
            return durations.milliseconds(text)
        except durations.NotADuration:
            raise Unfit(self.needs) from None

    def check(self, value: int) -> None:
        """Refuse one out of bounds."""
        if not self.least_ms <= value <= self.most_ms:
            raise Unfit(self.needs)

    def schema(self) -> Mapping[str, Json]:
        """A string; its bounds are checked by the program alone."""
        return {"type": "string", "pattern": "^PT?[0-9]"}

    def shown(self, value: int) -> str:
        """In words."""
        return durations.in_words(value)
