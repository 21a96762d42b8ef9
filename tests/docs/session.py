"""A reader who follows a page: types its commands at a terminal, saves its files, and looks at what comes.

Run are the blocks of ``console``: a line after ``$`` is a command, the lines below it are what it shows, and what
stands after a question's ``>`` is typed. A block of ``console serves`` goes on running until the page ends. A block
that names a file, such as ``markdown lunch.md``, is saved under that name. A database of the reader's own stands for
the one that pages name.
"""

import contextlib
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from sayso import address
from tests.cli.terminal import Terminal
from tests.docs.alike import Alike
from tests.docs.pages import ROOT, Block

HOME_SHOWN = "/home/you"
SERVING = "(Ctrl-C stops it)"
DATABASE_SHOWN = "postgresql://sayso:a-long-password@db.example.com/sayso"

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PROGRESS = re.compile(r"\x1b\[\?25l.*?\x1b\[\?25h\s*(?:\x1b\[1A\x1b\[2K)*", re.DOTALL)  # gone when it has ended
_QUESTION = re.compile(r"(?P<prompt>[a-z_]+(?: \([^)]*\))?> )(?P<typed>.*)")
_PORT = re.compile(r"--port [0-9]+")
_VARIABLE = re.compile(r"(?:export )?(?P<name>[A-Z_]+)=(?P<value>\S.*)")


@dataclass(frozen=True, kw_only=True)
class Step:
    """A command of a page, what it shows there, and on which line of the page it stands."""

    command: str
    shown: list[str]
    line: int


class Differs(AssertionError):
    """The page shows something else than what came."""


def steps(block: Block) -> Iterator[Step]:
    """The commands of a console block. One that ends with a backslash goes on in the next line."""
    lines = block.text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        last = start
        while lines[last].endswith("\\"):
            last += 1
        command = "\n".join([lines[start].removeprefix("$ "), *lines[start + 1 : last + 1]])
        yield Step(command=command, shown=lines[last + 1 : end], line=block.line + start)


@dataclass
class Session:
    """One reader at one page, in a home of their own, with a checkout's examples."""

    home: Path
    database: str = DATABASE_SHOWN
    _alike: Alike = field(default_factory=Alike)
    _servers: list[Terminal] = field(default_factory=list)
    _variables: dict[str, str] = field(default_factory=dict)

    def __enter__(self) -> Self:
        for folder in ("tmp", "run", "sayso"):
            (self.home / folder).mkdir(mode=0o700)
        shutil.copytree(ROOT / "examples", self._here / "examples")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.ExitStack() as stack:
            for server in self._servers:
                stack.enter_context(server)
            for server in self._servers if kind is None else ():
                server.process.send_signal(signal.SIGINT)
                code, said = server.end()
                assert code == 0, f"a server ended with {code}: {said}"

    def follow(self, block: Block) -> None:
        """Do what a block says. Raises Differs where it shows something else than what comes."""
        match block.words:
            case ("console", "serves"):
                for step in steps(block):
                    self._serve(step)
            case ("console",):
                for step in steps(block):
                    self._do(step)
            case (_, name):
                (self._here / name).write_text(block.text, encoding="utf-8")

    @property
    def _here(self) -> Path:
        return self.home / "sayso"

    def _do(self, step: Step) -> None:
        if variable := _VARIABLE.fullmatch(step.command):
            with self._begun(f"printf %s {variable['value']}") as terminal:
                self._variables[variable["name"]] = self._read(terminal.end()[1])[0]
            return
        with self._begun(step.command) as terminal:
            seen = "".join(self._answer(terminal, line) for line in step.shown)
            seen += terminal.end()[1]
        self._compare(step, self._read(seen))

    def _answer(self, terminal: Terminal, line: str) -> str:
        question = _QUESTION.fullmatch(line)
        if question is None:
            return ""
        seen = terminal.expect(question["prompt"])
        terminal.type(question["typed"])
        return seen

    def _serve(self, step: Step) -> None:
        server = self._begun(f"exec {step.command}")
        self._servers.append(server)
        self._compare(step, self._read(server.expect(SERVING)))

    def _begun(self, command: str) -> Terminal:
        command = _PORT.sub("--port 0", self._alike.command(command)).replace(DATABASE_SHOWN, self.database)
        return Terminal(["sh", "-c", f"cd {self._here} && {command}"], self._environment())

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "TMPDIR": str(self.home / "tmp"),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "PORT": "0",  # pages show ports that may be taken here
            "LOG_LEVEL": "warning",  # nor does anybody read on what a server says
            **self._variables,
        }

    def _read(self, seen: str) -> list[str]:
        seen = _PROGRESS.sub("", _COLOUR.sub("", seen)).replace(str(self.home), HOME_SHOWN)
        return seen.replace(address.shown(self.database), address.shown(DATABASE_SHOWN)).splitlines()

    def _compare(self, step: Step, came: list[str]) -> None:
        line = self._alike.differs(step.shown, came)
        if line is not None:
            text = "\n".join(came)
            raise Differs(f"line {step.line}: {step.command}\nshows {line}\nbut there came:\n{text}")
