"""A Containerfile, read: its stages, and the steps of each in order."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deploy" / "Containerfile"

KNOWN = frozenset(
    {"RUN", "COPY", "ENV", "WORKDIR", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT", "CMD"}
)
_FROM = re.compile(r"(?P<image>\S+)(?: AS (?P<name>[a-z]+))?")


@dataclass(kw_only=True)
class Stage:
    """One stage: the image that it begins with, and its steps, each an instruction and what follows it."""

    image: str
    name: str | None
    steps: list[tuple[str, str]] = field(default_factory=list)

    def all(self, instruction: str) -> list[str]:
        """What follows each instruction of a kind."""
        return [words for name, words in self.steps if name == instruction]

    def listed(self, instruction: str) -> list[str]:
        """The words of an instruction that is written as a list, such as ENTRYPOINT."""
        (words,) = self.all(instruction)
        return [str(word) for word in json.loads(words[words.index("[") :])]

    @property
    def variables(self) -> dict[str, str]:
        """What the stage sets in the environment."""
        return dict(words.split("=", 1) for words in self.all("ENV"))


def stages(text: str) -> list[Stage]:
    """The stages of a file. An instruction that nobody here knows is an error."""
    found: list[Stage] = []
    for line in text.replace("\\\n", " ").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, words = line.split(None, 1)
        if name == "FROM":
            begun = _FROM.fullmatch(words)
            assert begun is not None, words
            found.append(Stage(image=begun["image"], name=begun["name"]))
            continue
        if name not in KNOWN:
            raise ValueError(f"{name} is no instruction that is known here")
        found[-1].steps.append((name, words))
    return found
