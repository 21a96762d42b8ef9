"""A campaign: so many trials of one seed, each judged and timed, and the memory of the process that ran them."""

import gc
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from heapq import nlargest
from multiprocessing import get_context
from pathlib import Path

from tests.fuzz_documents.trials import Trial

# Trials before the memory is looked at: of another seed, so that none of them was a measured one's first.
WARM_UP = 300
SLOWEST_SHOWN = 10
FAULTS_SHOWN = 12
LONG = 20_000
LARGE_BYTES = 4 * 2**20

Try = Callable[[int, int], Trial]


@dataclass
class Report:
    """What a campaign met. Times are processor times by kind; ``growth_bytes`` is of the one process that grew most."""

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    taken: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, int, str]] = field(default_factory=list)
    largest: list[tuple[int, int, str]] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    growth_bytes: int = 0

    def add(self, index: int, trial: Trial) -> None:
        """Count a trial, and keep one example of each fault."""
        self.kinds[trial.kind.partition(":")[0]] += 1
        for step in trial.steps:
            group = step.kind.partition(":")[0]
            self.seconds[group].append(step.seconds)
            self.taken[group] += step.taken
            self.slowest.append((step.seconds, index, f"{trial.kind}, {step.kind}"))
            for fault in step.faults:
                name = re.sub(r"\d+|'[^']*'", "#", fault.strip().rpartition("\n")[2])[:60]
                self.faults.setdefault(
                    f"{group}: {name}", f"{index} ({trial.kind}), {step.kind}: {fault}\n{trial.shown[:600]!r}"
                )
        if len(self.slowest) > 1_000:
            self.slowest = nlargest(SLOWEST_SHOWN, self.slowest)

    def join(self, other: "Report") -> None:
        """Take in what another process met."""
        for group, times in other.seconds.items():
            self.seconds[group] += times
        self.taken += other.taken
        self.kinds += other.kinds
        self.slowest = nlargest(SLOWEST_SHOWN, [*self.slowest, *other.slowest])
        self.largest += other.largest
        self.faults |= other.faults
        self.growth_bytes = max(self.growth_bytes, other.growth_bytes)

    def quantile(self, percent: int, *groups: str) -> float:
        """The time within which so many of a hundred of these kinds were done."""
        times = sorted(time for group in groups for time in self.seconds[group])
        return times[min(len(times) * percent // 100, len(times) - 1)]

    def words(self, seed: int, what: str) -> str:
        """The report as a person reads it."""
        lines = [
            f"fuzz: {what} of SAYSO_SEED={seed}; memory grew by {self.growth_bytes / 2**20:.1f} MiB; {dict(self.kinds)}"
        ]
        for group in sorted(self.seconds):
            median, late, last = (self.quantile(percent, group) * 1e3 for percent in (50, 99, 100))
            lines.append(
                f"  {group}: {len(self.seconds[group]):,}, taken {self.taken[group]:,}; "
                f"median {median:.1f} ms, p99 {late:.1f} ms, slowest {last:.0f} ms"
            )
        lines += [
            f"  {seconds * 1e3:7.1f} ms: --only {index} ({kind})"
            for seconds, index, kind in nlargest(SLOWEST_SHOWN, self.slowest)
        ]
        lines += [f"  {grown / 2**20:6.1f} MiB more: --only {index} ({kind})" for grown, index, kind in self.largest]
        return "\n".join(lines)


def peak_bytes() -> int:
    """The most memory that this process ever held."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.findall(r"VmHWM:\s+(\d+)", status.read_text())[0]) * 1_024
    import resource  # not on every system, and counted differently on those that have no /proc

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def part(attempt: Try, seed: int, indexes: Iterable[int], warm_up: int) -> Report:
    """These trials, in this process."""
    for index in range(warm_up):
        attempt(seed + 1, 1_000_000 + index)
    gc.collect()
    before = peak_bytes()
    report = Report()
    for index in indexes:
        held = peak_bytes()
        trial = attempt(seed, index)
        report.add(index, trial)
        if (grown := peak_bytes() - held) > LARGE_BYTES:
            report.largest.append((grown, index, trial.kind))
    report.growth_bytes = peak_bytes() - before
    return report


def run(attempt: Try, seed: int, count: int, warm_up: int = WARM_UP) -> Report:
    """So many trials, in new processes: one for each processor where there are many to do."""
    workers = (os.cpu_count() or 1) if count > LONG else 1
    parts = [range(first, count, workers) for first in range(workers)]
    whole = Report()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for report in pool.map(partial(part, attempt, seed, warm_up=warm_up), parts):
            whole.join(report)
    return whole
