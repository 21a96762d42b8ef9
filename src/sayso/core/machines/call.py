"""The call machine: a run that asks a system, by one call of one tool.

    (none) --start call--> rejected     nothing was sent: input or arguments would not do, or the tool is not offered
    rejected --erase--> rejected        without what was written

No tool server can be configured so far, so no call is ever made.
"""

from dataclasses import replace

from sayso.core.commands import Answer, Ask, Cancel, Command, Erase, Look, Publish, Reassign, StartCall
from sayso.core.events import Recorded, RunErased, RunRejected, RunStarted
from sayso.core.frozen import frozen
from sayso.core.heads import Outcome, Status, StreamKind, Summary
from sayso.core.ids import from_uuid_text
from sayso.core.machines.erasure import erase
from sayso.core.machines.machine import Decision, Moment
from sayso.core.machines.publish import no_run
from sayso.core.machines.start import Begun, Ended, start, start_otherwise
from sayso.errors import conflict


@frozen
class Call:
    """The state of a call's stream since its latest ``run_started``; ``started`` is None before the first."""

    started: RunStarted | None = None
    started_seq: int = 1
    ended: Ended | None = None
    is_erased: bool = False

    @property
    def begun(self) -> Begun | None:
        """The latest start, as far as another one is judged by it."""
        return Begun(started=self.started, unsent=self.ended) if self.started else None


class CallMachine:
    """Decides for streams of the kind ``call``."""

    kind = StreamKind.CALL

    def initial(self) -> Call:
        """A stream without events."""
        return Call()

    def evolve(self, state: Call, recorded: Recorded) -> Call:
        """The state after one more fact."""
        match recorded.event:
            case RunStarted() as started:
                return Call(started=started, started_seq=recorded.seq)
            case RunRejected() as rejection:
                return replace(state, ended=Ended(outcome=Outcome.REJECTED, at=recorded.at, rejection=rejection))
            case RunErased():
                return replace(state, is_erased=True)
            case other:
                raise TypeError(f"a call's stream holds no {type(other).__name__}")

    def decide(self, state: Call, command: Command, moment: Moment) -> Decision:
        """What the command does to a call that stands so, now."""
        match command:
            case StartCall():
                return start(state.begun, (command.started, command.refused), moment)
            case Ask():
                return start_otherwise(state.begun, command.started)
            case Answer():
                return Decision(problem=conflict("The run calls a tool: it has no request that takes an answer."))
            case Reassign():
                return Decision(problem=conflict("The run calls a tool: it has no request to give to anybody."))
            case Cancel():
                return Decision(problem=conflict("The run has ended: there is nothing to cancel."))
            case Erase():
                return erase(state.ended, is_erased=state.is_erased)
            case Look():
                return Decision()
            case Publish():
                return Decision(problem=no_run())
            case other:
                raise TypeError(f"a call takes no {type(other).__name__}")

    def summary(self, state: Call) -> Summary:
        """What the head repeats of the state."""
        started, ended = state.started, state.ended
        assert started is not None, "a head is written after an event"
        return Summary(
            status=Status.STARTED,
            outcome=ended.outcome if ended else None,
            ended_at=ended.at if ended else None,
            from_seq=state.started_seq,
            definition=from_uuid_text(started.definition),
            definition_version=started.version,
        )
