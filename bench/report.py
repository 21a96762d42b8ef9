"""The report of a benchmark: figures over its rounds, judged by their bars; a table, a file and an exit code."""

import json
import os
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from bench.bars import BARS, Bar, Verdict
from bench.rounds import Figures

_COLOURS = {Verdict.GOAL: "green", Verdict.REACH: "green", Verdict.FLOOR: "yellow", Verdict.UNDER: "bold red"}


@dataclass(frozen=True, kw_only=True)
class Line:
    """A figure over all rounds."""

    figure: str
    values: tuple[float, ...]
    bar: Bar | None

    @property
    def median(self) -> float:
        """What is judged and quoted."""
        return median(self.values)

    @property
    def verdict(self) -> Verdict | None:
        """None where no bar is set."""
        return self.bar.verdict(self.median) if self.bar else None


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that a benchmark found on one store, and on what machine."""

    benchmark: str
    store: str
    quick: bool
    lines: tuple[Line, ...]
    facts: Mapping[str, str]

    @property
    def exit_code(self) -> int:
        """1 if a ratio is under its floor. The quick form is too short to be judged."""
        return int(not self.quick and any(line.verdict is Verdict.UNDER for line in self.lines))

    def show(self, console: Console) -> None:
        """The table, judged figures first."""
        table = Table(
            title=f"{self.benchmark} on {self.store}" + (" (quick: not judged)" if self.quick else ""),
            box=None,
            title_justify="left",
        )
        table.add_column("figure")
        for name in ("median", "least", "most", "goal", "reach", "floor"):
            table.add_column(name, justify="right")
        table.add_column("verdict")
        for line in sorted(self.lines, key=lambda line: line.bar is None):
            table.add_row(line.figure, *_numbers(line), *_marks(line.bar), self._words(line))
        console.print(table)
        console.print("; ".join(f"{name}: {value}" for name, value in self.facts.items()), style="dim")

    def _words(self, line: Line) -> str:
        if line.verdict is None or self.quick:
            return ""
        return f"[{_COLOURS[line.verdict]}]{line.verdict.value}[/]"

    def write(self, folder: Path) -> Path:
        """The same as JSON, for whoever compares runs."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.benchmark}-{self.store}{'-quick' if self.quick else ''}.json"
        path.write_text(json.dumps(self._wire(), indent=1) + "\n", encoding="utf-8")
        return path

    def _wire(self) -> dict[str, object]:
        figures = {
            line.figure: {
                "median": line.median,
                "least": min(line.values),
                "most": max(line.values),
                "rounds": line.values,
                "bar": vars(line.bar) if line.bar else None,
                "verdict": None if self.quick or line.verdict is None else line.verdict.value,
            }
            for line in self.lines
        }
        about = {"benchmark": self.benchmark, "store": self.store, "quick": self.quick}
        return about | {"facts": dict(self.facts), "figures": figures}


def report(benchmark: str, store: str, rounds: Sequence[Figures], facts: Mapping[str, str], *, quick: bool) -> Report:
    """The report of these rounds. Every bar of the benchmark must find its figure."""
    bars = {bar.figure: bar for bar in BARS.get((benchmark, store), ())}
    assert bars.keys() <= rounds[0].keys(), f"no round has {sorted(bars.keys() - rounds[0].keys())}"
    lines = tuple(
        Line(figure=name, values=tuple(figures[name] for figures in rounds), bar=bars.get(name)) for name in rounds[0]
    )
    return Report(benchmark=benchmark, store=store, quick=quick, lines=lines, facts=_machine() | dict(facts))


def _machine() -> dict[str, str]:
    return {
        "at": time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime()),
        "processors": str(os.cpu_count()),
        "load": f"{os.getloadavg()[0]:.1f}",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def _numbers(line: Line) -> tuple[str, str, str]:
    return _text(line.median), _text(min(line.values)), _text(max(line.values))


def _marks(bar: Bar | None) -> tuple[str, ...]:
    if bar is None:
        return ("", "", "")
    sign = "≤" if bar.at_most else "≥"
    return tuple(f"{sign} {_text(mark)}" for mark in (bar.goal, bar.reach, bar.floor))


def _text(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
