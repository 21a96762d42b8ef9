"""Verdicts: what became of each case, and of each mutation of a case that passed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.cases.areas import AREAS, lacks
from tests.cases.case import Case
from tests.cases.compare import Differences
from tests.cases.mutate import Leaf, leaves, mutated
from tests.cases.stage import Stages

# Of a hundred changed leaves, so many must make their case fail.
BAR = 98.0


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """How one case came out. ``broke`` says that it ended in an exception, not in a comparison."""

    case: Case
    differences: Differences
    broke: bool = False

    @property
    def passed(self) -> bool:
        """Whether all that was expected was found."""
        return not self.differences


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """How a run of cases came out, with the number of those that are not built by area."""

    ran: Sequence[Verdict]
    not_built: Counter[str]

    @property
    def passed(self) -> list[Case]:
        """The cases that passed."""
        return [verdict.case for verdict in self.ran if verdict.passed]

    @property
    def failed(self) -> list[Verdict]:
        """Those that did not."""
        return [verdict for verdict in self.ran if not verdict.passed]


@dataclass(kw_only=True)
class Mutations:
    """How the mutations came out. A survivor is a changed leaf whose case passed all the same, or merely broke."""

    failed: int = 0
    survivors: list[str] = field(default_factory=list)
    apart: Counter[str] = field(default_factory=Counter)

    @property
    def percent(self) -> float:
        """Of a hundred changed leaves, how many made their case fail; 0 if there was nothing to change."""
        changed = self.failed + len(self.survivors)
        return 100 * self.failed / changed if changed else 0.0


async def judge(case: Case, stages: Stages) -> Verdict:
    """Run one case on a stage of its own."""
    try:
        return Verdict(case=case, differences=await AREAS[case.area].check(case, stages))
    except Exception as fault:
        return Verdict(case=case, differences=[f"{type(fault).__name__}: {fault}"], broke=True)


async def judge_all(cases: Sequence[Case], stages: Stages) -> Verdicts:
    """Run every case that is built, and count the others."""
    built = [case for case in cases if lacks(case) is None]
    not_built = Counter(case.area for case in cases) - Counter(case.area for case in built)
    return Verdicts(ran=[await judge(case, stages) for case in built], not_built=not_built)


async def mutate_all(cases: Sequence[Case], stages: Stages) -> Mutations:
    """Run each case once for each leaf of what it expects, with that leaf changed."""
    mutations = Mutations()
    for case in cases:
        for leaf in leaves(case):
            if leaf.apart is None:
                await _mutate(case, leaf, stages, mutations)
            else:
                mutations.apart[leaf.apart] += 1
    return mutations


async def _mutate(case: Case, leaf: Leaf, stages: Stages, mutations: Mutations) -> None:
    verdict = await judge(mutated(case, leaf), stages)
    if verdict.passed or verdict.broke:
        words = f" (broke: {verdict.differences[0]})" if verdict.broke else ""
        mutations.survivors.append(f"{case.id} {leaf.pointer}{words}")
    else:
        mutations.failed += 1
