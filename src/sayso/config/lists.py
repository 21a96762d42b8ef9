"""Kinds of settings that are several: with commas between in the environment, a list in the file."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sayso.config.kinds import Kind
from sayso.config.refusal import Unfit
from sayso.core.values import Json

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Texts(Kind):
    """Several texts of one form: with commas between in the environment, a list in the file."""

    pattern: str
    needs: str

    def from_text(self, text: str) -> tuple[Any, ...]:
        """Each without the blanks around it."""
        return self._read([part.strip() for part in text.split(",") if part.strip()])

    def from_json(self, value: Json) -> tuple[Any, ...]:
        """Each item of the list."""
        if not isinstance(value, list):
            raise Unfit(f"must be a list: each item {self.needs}")
        for number, item in enumerate(value):
            if not isinstance(item, str):
                raise Unfit(f"must be a text: it {self.needs}", (number,))
        return self._read(value)

    def _read(self, texts: list[str]) -> tuple[Any, ...]:
        return tuple(text.lower() for text in texts)

    def check(self, value: tuple[Any, ...]) -> None:
        """Refuse a list with one of another form."""
        for number, text in enumerate(value):
            if not re.fullmatch(self.pattern, text):
                raise Unfit(self.needs, (number,))

    def schema(self) -> Mapping[str, Json]:
        """An array of strings of the form."""
        return {"type": "array", "items": {"type": "string", "pattern": f"^(?:{self.pattern})$"}}

    def shown(self, value: tuple[Any, ...]) -> str:
        """With commas between."""
        return ", ".join(map(str, value))


class Networks(Texts):
    """Addresses of machines, each alone or as a range of them."""

    def __init__(self) -> None:
        super().__init__("[0-9A-Fa-f.:]+(?:/[0-9]{1,3})?", "must be an address or a range such as 10.0.0.0/8")

    def _read(self, texts: list[str]) -> tuple[Network, ...]:
        return tuple(self._network(number, text) for number, text in enumerate(texts))

    def _network(self, number: int, text: str) -> Network:
        try:
            return ipaddress.ip_network(text)
        except ValueError:
            raise Unfit(self.needs, (number,)) from None

    def check(self, value: tuple[Network, ...]) -> None:
        """Whatever is a network was checked when it was made."""
