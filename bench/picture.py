"""The picture of a report: each judged figure with its rounds, in multiples of its reach."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench.bars import Verdict
from bench.report import Line, Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {Verdict.GOAL: "tab:green", Verdict.REACH: "tab:green", Verdict.FLOOR: "tab:orange", Verdict.UNDER: "tab:red"}


def can_draw() -> bool:
    """Whether what draws is installed: it comes with the extra ``bench``."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(report: Report, path: Path) -> None:
    """Write the picture as PNG."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    judged = [line for line in report.lines if line.bar is not None]
    lines = judged or list(report.lines)
    figure, axes = pyplot.subplots(figsize=(9, 0.4 * len(lines) + 1.8), layout="constrained")
    _rows(axes, lines[::-1], quick=report.quick)
    axes.set_xlabel("in multiples of its reach" if judged else "as measured")
    axes.set_title(f"{report.benchmark} on {report.store}" + (" (quick: not judged)" if report.quick else ""))
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _rows(axes: "Axes", lines: Sequence[Line], *, quick: bool) -> None:
    """A row a figure: its rounds as dots, its median as a bar, its floor as a red line."""
    for row, line in enumerate(lines):
        unit = line.bar.reach if line.bar else 1.0
        colour = "tab:blue" if quick or line.verdict is None else COLOURS[line.verdict]
        axes.barh(row, line.median / unit, height=0.5, color=colour, alpha=0.6)
        axes.plot([value / unit for value in line.values], [row] * len(line.values), ".", color="black")
        if line.bar:
            axes.vlines(line.bar.floor / unit, row - 0.35, row + 0.35, color="tab:red")
            axes.vlines(1.0, row - 0.35, row + 0.35, color="tab:green")
    axes.set_yticks(range(len(lines)), [_label(line) for line in lines])


def _label(line: Line) -> str:
    return line.figure if line.bar is None else f"{line.figure} {'≤' if line.bar.at_most else '≥'} {line.bar.reach:g}"
