"""A campaign: so many requests from one seed, every response judged and every store read to its end."""

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random, SystemRandom
from time import perf_counter

from sayso.core.values import canonical
from sayso.http.openapi.document import document
from tests.fuzz import asking, door, judge, sockets
from tests.fuzz.generator import Generator
from tests.fuzz.known import Known, Place
from tests.fuzz.listings import Listings
from tests.fuzz.requests import Request, Response
from tests.fuzz.stage import Stage, stage
from tests.http.openapi import Told
from tests.listening import listening

STORE_REQUESTS = 100_000
SOCKET_REQUESTS = 2_000
ROUND = 8
SLOW_SECONDS = 2.0
FAULTS_SHOWN = 12


@cache
def seed() -> int:
    """The seed that the environment gives, or a new one: the same for all that this process fuzzes."""
    given = os.environ.get("SAYSO_SEED")
    return int(given) if given else SystemRandom().getrandbits(32)


def requests(usual: int) -> int:
    """How many requests to send: as many as the environment says, else the usual number."""
    return int(os.environ.get("SAYSO_FUZZ") or usual)


@dataclass
class Report:
    """What a campaign met."""

    seed: int
    folder: Path
    sent: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    succeeded: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    listed: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    spent: float = 0.0

    def add(self, request: Request, response: Response) -> None:
        """Count a response."""
        self.statuses[response.status] += 1
        self.seconds.append(response.seconds)
        (self.succeeded if response.status < 300 else self.refused)[request.operation] += 1

    def accuse(self, what: str, request: Request, response: Response | None = None) -> None:
        """Keep a fault with the request that showed it: one of each kind."""
        name = f"{request.operation}: {what}"[:100]
        if name in self.faults:
            return
        whole = self.folder / f"fault-{len(self.faults)}.txt"
        whole.write_text(f"{request!r}\n{response!r}\n")
        shown = f"request {self.sent} of SAYSO_SEED={self.seed}: {what}\n{request.shown()}\n  whole in {whole}"
        if response is not None:
            shown += f"\n  -> {response.status} {response.body[:1_000]!r}"
        self.faults[name] = shown

    def quantile(self, percent: int) -> float:
        """The time within which so many of a hundred requests were answered."""
        return sorted(self.seconds)[min(len(self.seconds) * percent // 100, len(self.seconds) - 1)]

    def words(self) -> str:
        """The report as a person reads it."""
        return (
            f"fuzz: seed {self.seed}, {self.sent:,} requests in {self.spent:.0f} s ({self.sent / self.spent:,.0f}/s), "
            f"median {self.quantile(50) * 1e3:.1f} ms, p99 {self.quantile(99) * 1e3:.0f} ms, "
            f"slowest {self.quantile(100) * 1e3:.0f} ms\n"
            f"  statuses {dict(sorted(self.statuses.items()))}\n"
            f"  succeeded {dict(sorted(self.succeeded.items()))}\n"
            f"  read to the end: {dict(self.listed)}"
        )


class Campaign:
    """Sends ``count`` requests to two stores or more, 100,000 to one at most; ``say`` hears of each that is done."""

    def __init__(self, seed: int, count: int, folder: Path, say: Callable[[str], None] = print) -> None:
        self.report = Report(seed=seed, folder=folder)
        self._count = count
        self._store_requests = min(STORE_REQUESTS, -(-count // 2))
        self._folder = folder
        self._say = say
        self._told = Told(document(judge.BASE))

    async def run(self) -> Report:
        """The report, whatever the faults."""
        begun = perf_counter()
        while self.report.sent < self._count and len(self.report.faults) < FAULTS_SHOWN:
            number = self.report.sent // self._store_requests
            folder = self._folder / str(number)
            # One store is served in local mode, the next to those who have keys.
            async with stage(folder, f"{self.report.seed}/{number}/app", local=number % 2 == 0) as its:
                await self._store(its, Random(f"{self.report.seed}/{number}"))
            for file in folder.iterdir():
                file.unlink()
            self._say(f"fuzz: {self.report.sent:,} requests, {len(self.report.faults)} kinds of faults")
        self.report.spent = perf_counter() - begun
        return self.report

    async def _store(self, its: Stage, chance: Random) -> None:
        known = Known()
        generator = Generator(chance, known, its.keys)
        size = min(self._store_requests, self._count - self.report.sent)
        on_sockets = min(SOCKET_REQUESTS, size // 10)
        end = self.report.sent + size - on_sockets
        while self.report.sent < end and len(self.report.faults) < FAULTS_SHOWN:
            await self._round(its, generator.round(min(ROUND, end - self.report.sent)), known)
            await self._pass_time(its, chance)
        async with listening(its.door) as port:
            await self._on_sockets(its, generator, chance, port, end + on_sockets)
        await self._settle(its, known)

    async def _round(self, its: Stage, round_: list[Request], known: Known) -> None:
        asked = [door.ask(its.door, request) for request in round_]
        told = await asyncio.gather(*asked, return_exceptions=True)
        for request, response in zip(round_, told, strict=True):
            self.report.sent += 1
            if isinstance(response, BaseException):
                self.report.accuse(str(response), request)
            elif response is not None:
                await self._take(its, request, response, known)

    async def _take(self, its: Stage, request: Request, response: Response, known: Known) -> None:
        self.report.add(request, response)
        faults = [*judge.faults(request, response, its.secrets)]
        for fault in faults:
            self.report.accuse(fault, request, response)
        if faults:
            return
        if response.seconds > SLOW_SECONDS:
            again = await door.ask(its.door, request)
            if again is not None and again.seconds > SLOW_SECONDS:
                self.report.accuse(f"took {again.seconds:.1f} s by itself", request, again)
        meaning = door.meaning(request)
        if meaning is not None and request.method != "HEAD":
            for fault in self._told.faults(meaning[0], response.status, judge.strict(response.body)):
                self.report.accuse(f"not as the document says: {fault}", request, response)
        if meaning is not None and meaning[0] == "answer_interaction" and response.status == 200:
            await self._hold_to_its_word(its, Place(meaning[1]["org"], meaning[1]["playbook"]), request, response)
        if response.status == 409 and meaning is not None and "run_id" in meaning[1]:
            known.end(meaning[1]["run_id"])
        if response.status in {200, 201} and request.method != "HEAD" and meaning is not None:
            operation, place = meaning
            where = Place(place["org"], place.get("playbook", ""))
            known.learn(operation, where, {**request.meant, **place}, judge.strict(response.body))

    async def _hold_to_its_word(self, its: Stage, place: Place, request: Request, response: Response) -> None:
        """An answer that was taken is told back as it was given; the same again to a run that was erased, as null."""
        told, given = judge.strict(response.body), judge.strict(request.body)
        if canonical(told["answer"]) == canonical(given["answer"]):
            return
        run = await asking.perform(its, "get_run", place=place, run_id=told["run_id"])
        if told["answer"] is not None or "erased_at" not in run:
            self.report.accuse("another answer was told than was given", request, response)

    async def _pass_time(self, its: Stage, chance: Random) -> None:
        its.clock.move(chance.choice((0, 0.001, 0.05, 0.5)))
        if chance.random() < 0.02:
            its.clock.move(chance.choice((0, 0, 1, 20, 60, chance.choice((60, 3_600, 86_400, 2_592_000)))))
            await its.app.worker.sweep()

    async def _on_sockets(self, its: Stage, generator: Generator, chance: Random, port: int, end: int) -> None:
        while self.report.sent < end and len(self.report.faults) < FAULTS_SHOWN:
            round_ = generator.round(min(ROUND, end - self.report.sent))
            raw = [sockets.raw(chance, request) for request in round_]
            told = await asyncio.gather(*(sockets.ask(port, one) for one in raw), return_exceptions=True)
            for request, sent, response in zip(round_, raw, told, strict=True):
                self.report.sent += 1
                if isinstance(response, BaseException):
                    self.report.accuse(f"on a socket: {response!r}, sent {sent[:300]!r}", request)
                elif response is not None:
                    self.report.statuses[response.status] += 1
                    for fault in sockets.faults(sent, response, its.secrets):
                        self.report.accuse(f"on a socket: {fault}, sent {sent[:300]!r}", request, response)

    async def _settle(self, its: Stage, known: Known) -> None:
        """What holds of the store after all of it."""
        its.clock.move(1)
        await its.app.worker.sweep()
        self.report.listed += Counter(await Listings(its, known).read())
        await asking.main_job(its, Place("acme", "the-last-one"))
        assert its.rows("select 1")  # it looks at the whole file first
        assert its.errors.said == [], f"logged as errors: {its.errors.said[:5]}"
