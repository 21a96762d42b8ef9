"""A client's journal: what it sent, and what it was told. It outlives the process that is killed."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Told = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Journal:
    """A file of one line a fact, each written at once and whole."""

    path: Path

    def sent(self, step: str) -> None:
        """The step is about to be sent."""
        self._add({"sent": step})

    def told(self, step: str, outcome: Told) -> None:
        """The step was answered."""
        self._add({"told": step, "outcome": outcome})

    def _add(self, line: Mapping[str, Any]) -> None:
        file = os.open(self.path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        try:
            os.write(file, json.dumps(line).encode() + b"\n")
        finally:
            os.close(file)

    def read(self) -> tuple[list[str], dict[str, Told]]:
        """The steps that were sent, in order, and the outcomes of those that were answered."""
        lines = [json.loads(line) for line in self.path.read_text().splitlines()] if self.path.exists() else []
        sent = [line["sent"] for line in lines if "sent" in line]
        return sent, {line["told"]: line["outcome"] for line in lines if "told" in line}
