"""A stream with one writer and nobody who waits for it: an execution, or what somebody published."""

from dataclasses import dataclass

from sayso.core.events import Recorded
from sayso.core.heads import Status, StreamKind, Summary
from sayso.core.machines.machine import Decision, Moment
from tests.app.machines.notes import note, word


@dataclass(frozen=True, kw_only=True)
class Note:
    """Write a word down, unless it was the last."""

    word: str


@dataclass(frozen=True, kw_only=True)
class Single:
    word: str | None = None
    seq: int = 1


@dataclass
class SingleMachine:
    """Its load begins with the last word: what was written before folds into nothing."""

    kind: StreamKind

    def initial(self) -> Single:
        return Single()

    def evolve(self, state: Single, recorded: Recorded) -> Single:
        return Single(word=word(recorded.event), seq=recorded.seq)

    def decide(self, state: Single, command: object, moment: Moment) -> Decision:
        assert isinstance(command, Note)
        return Decision() if command.word == state.word else Decision(events=(note(command.word),))

    def summary(self, state: Single) -> Summary:
        return Summary(status=Status.STARTED, from_seq=state.seq)
