"""The request machine: a run that asks a person and waits for the one answer.

    (none) --ask--> waiting --answer--> succeeded
                       |---reassign---> waiting, for another party
                       |----cancel----> rejected, cancelled
                       |----expire----> rejected, unanswered
    (none) --ask--> rejected            nothing was asked: input, tools, party or message will not do, or too many wait
    (none) --ask--> succeeded           a notification to the inbox
    succeeded, rejected --erase--> the same, without what was written

Status is derived, never stored twice. What was decided once stays decided: asking again under the run id, or sending
the same answer again, changes nothing.
"""

from dataclasses import replace
from typing import NamedTuple

from sayso.core.commands import Answer, Ask, Cancel, Command, Erase, Look, Publish, Question, Reassign, StartCall
from sayso.core.events import (
    Event,
    InteractionRequested,
    Recorded,
    RequestAnswered,
    RequestReassigned,
    RunCancelRequested,
    RunErased,
    RunFailed,
    RunRejected,
    RunStarted,
    RunSucceeded,
)
from sayso.core.frozen import frozen
from sayso.core.heads import Outcome, Status, StreamKind, Summary
from sayso.core.ids import from_uuid_text
from sayso.core.machines.erasure import erase
from sayso.core.machines.machine import Decision, Moment
from sayso.core.machines.publish import no_run
from sayso.core.machines.start import Begun, Ended, start, start_otherwise
from sayso.errors import Kind, Problem, Reason, conflict

EXPIRED = RunRejected(reason=Reason.UNANSWERED, kind=Kind.EXPIRED, detail="Nobody answered before the request expired.")


@frozen
class Asked:
    """The request as it was put: until when it waits, whether it takes an answer, and to whom since which event."""

    expires_at: int
    takes_answer: bool
    to: str | None
    answerer: str | None
    since_seq: int


@frozen
class Answered:
    """The answer that was recorded: where, when, by whom, and the digest that tells the same answer from another."""

    seq: int
    at: int
    by: int
    sha256: str


class Request(NamedTuple):
    """The state of a request's stream since its latest ``run_started``; ``started`` is None before the first.

    It is a tuple since a fold makes one from another at each event.
    """

    started: RunStarted | None = None
    started_seq: int = 1
    asked: Asked | None = None
    answered: Answered | None = None
    cancel_asked: bool = False
    ended: Ended | None = None
    is_erased: bool = False

    @property
    def begun(self) -> Begun | None:
        """The latest start, as far as another one is judged by it."""
        return Begun(started=self.started, unsent=None if self.asked else self.ended) if self.started else None

    def knowing(
        self,
        *,
        asked: Asked | None = None,
        answered: Answered | None = None,
        cancel_asked: bool = False,
        ended: Ended | None = None,
        is_erased: bool = False,
    ) -> "Request":
        """The state after one more fact. Facts are only added."""
        return Request(
            self.started,
            self.started_seq,
            asked or self.asked,
            answered or self.answered,
            cancel_asked or self.cancel_asked,
            ended or self.ended,
            is_erased or self.is_erased,
        )

    @property
    def waits(self) -> bool:
        """Whether the request is open."""
        return self.asked is not None and self.ended is None


class RequestMachine:
    """Decides for streams of the kind ``request``."""

    kind = StreamKind.REQUEST

    def initial(self) -> Request:
        """A stream without events."""
        return Request()

    def evolve(self, state: Request, recorded: Recorded) -> Request:
        """The state after one more fact."""
        match recorded.event:
            case RunStarted() as started:
                return Request(started=started, started_seq=recorded.seq)
            case InteractionRequested() as asked:
                return state.knowing(asked=_asked(recorded, asked))
            case RequestReassigned() as given:
                return state.knowing(asked=_given(state, recorded, given))
            case RequestAnswered() as answer:
                return state.knowing(answered=_answered(recorded, answer))
            case RunCancelRequested():
                return state.knowing(cancel_asked=True)
            case RunSucceeded():
                return state.knowing(ended=Ended(outcome=Outcome.SUCCEEDED, at=recorded.at))
            case RunRejected() as rejection:
                return state.knowing(ended=Ended(outcome=Outcome.REJECTED, at=recorded.at, rejection=rejection))
            case RunFailed():
                return state.knowing(ended=Ended(outcome=Outcome.FAILED, at=recorded.at))
            case RunErased():
                return state.knowing(is_erased=True)
            case other:
                raise TypeError(f"a request's stream holds no {type(other).__name__}")

    def decide(self, state: Request, command: Command, moment: Moment) -> Decision:
        """What the command does to a request that stands so, now."""
        match command:
            case Ask():
                return _ask(state, command, moment)
            case StartCall():
                return start_otherwise(state.begun, command.started)
            case Answer():
                return _answer(state, command, moment)
            case Reassign():
                return _reassign(state, command, moment)
            case Cancel():
                return _cancel(state, command, moment)
            case Erase():
                return erase(state.ended, is_erased=state.is_erased)
            case Look():
                return _expire() if _is_over(state, moment) else Decision()
            case Publish():
                return Decision(problem=no_run())
            case other:
                raise TypeError(f"a request takes no {type(other).__name__}")

    def summary(self, state: Request) -> Summary:
        """What the head repeats of the state."""
        started, asked, ended = state.started, state.asked, state.ended
        assert started is not None, "a head is written after an event"
        return Summary(
            status=Status.CANCELLING if state.cancel_asked else Status.WAITING if asked else Status.STARTED,
            outcome=ended.outcome if ended else None,
            due_at=asked.expires_at if asked and not ended else None,
            expires_at=asked.expires_at if asked else None,
            ended_at=ended.at if ended else None,
            from_seq=state.started_seq,
            party=asked.to if asked else None,
            answerer=asked.answerer if asked else None,
            definition=from_uuid_text(started.definition),
            definition_version=started.version,
        )


def _ask(state: Request, ask: Ask, moment: Moment) -> Decision:
    decision = start(state.begun, _begin(ask, moment), moment)
    return Decision(events=decision.events, open_limit=ask.open_limit) if decision.events else decision


def _begin(ask: Ask, moment: Moment) -> tuple[Event, ...]:
    """AUTO: How a run ends. Input and tools are judged first, then the room in the playbook, then what was rendered."""
    if ask.refused_early:
        return ask.started, ask.refused_early
    if moment.open_requests >= ask.open_limit:
        return ask.started, _full(ask.open_limit)
    if ask.refused_question:
        return ask.started, ask.refused_question
    assert ask.question is not None, "what was not refused was rendered"
    return ask.started, *_put(ask.question, moment)


def _full(limit: int) -> RunRejected:
    return RunRejected(
        reason=Reason.UNAVAILABLE,
        kind=Kind.REQUESTS_FULL,
        detail=f"The playbook has as many open requests as it may have ({limit:,}). Answer or cancel some, then retry.",
    )


def _put(question: Question, moment: Moment) -> tuple[Event, ...]:
    requested = InteractionRequested(
        message_bytes=question.message_bytes,
        takes_answer=question.takes_answer,
        expires_at=moment.now + question.expires_ms * 1000,
        to=question.to,
        answerer=question.answerer,
        message=question.message,
    )
    if question.takes_answer:
        return (requested,)
    return requested, RunSucceeded(output_bytes=2, output={})


def _asked(recorded: Recorded, asked: InteractionRequested) -> Asked:
    return Asked(
        expires_at=asked.expires_at,
        takes_answer=asked.takes_answer,
        to=asked.to,
        answerer=asked.answerer,
        since_seq=recorded.seq,
    )


def _given(state: Request, recorded: Recorded, given: RequestReassigned) -> Asked:
    assert state.asked is not None, "what is given to another was put to somebody"
    return replace(state.asked, to=given.to, answerer=given.answerer, since_seq=recorded.seq)


def _answered(recorded: Recorded, answer: RequestAnswered) -> Answered:
    return Answered(seq=recorded.seq, at=recorded.at, by=recorded.by, sha256=answer.answer_sha256)


def _is_over(state: Request, moment: Moment) -> bool:
    """DESIGN 4.18: at ``expires_at`` the request is over, on every face, whether or not the worker came first."""
    return state.waits and state.asked is not None and moment.now >= state.asked.expires_at


def _expire() -> Decision:
    return Decision(events=(EXPIRED,), by_itself=True)


def _too_late() -> Problem:
    return conflict("The request has expired: it takes no answer. Start a new run to ask again.", Kind.EXPIRED)


def _ended_problem(state: Request) -> Problem:
    """Why a request that takes no command any more does not, in words that say what happened to it."""
    rejection = state.ended.rejection if state.ended else None
    if state.cancel_asked:
        return conflict("The run was cancelled: its request takes no answer.", Kind.REQUESTED)
    if rejection is not None and rejection.kind == Kind.EXPIRED:
        return _too_late()
    if state.answered is not None:
        return conflict("The request was answered already, in another way: a run takes one answer.", Kind.ANSWERED)
    if state.asked is not None and not state.asked.takes_answer:
        return conflict("The request is a notification: it takes no answer.")
    return conflict("The run has ended: it has no request that waits.")


def _answer(state: Request, answer: Answer, moment: Moment) -> Decision:
    if state.answered is not None and state.answered.sha256 == answer.answer_sha256:
        return Decision()
    if not state.waits or state.cancel_asked or state.asked is None or not state.asked.takes_answer:
        return Decision(problem=_ended_problem(state))
    if _is_over(state, moment):
        return replace(_expire(), problem=_too_late())
    if state.started is None or state.started.version != answer.checked_version:
        return Decision(problem=conflict("The run was started again meanwhile. Send the answer again."))
    if answer.seen_seq is not None and _is_given_since(state.asked, answer.seen_seq):
        return Decision(problem=_given_meanwhile())
    answered = RequestAnswered(
        answer_sha256=answer.answer_sha256,
        answer_bytes=answer.answer_bytes,
        answer=answer.answer,
        claimed_for=answer.claimed_for,
    )
    return Decision(events=(answered, RunSucceeded(output_bytes=answer.answer_bytes, is_answer=True)))


def _reassign(state: Request, command: Reassign, moment: Moment) -> Decision:
    if not state.waits or state.cancel_asked or state.asked is None:
        words = "The request waits for no answer: it cannot be given to anybody else."
        return Decision(problem=conflict(words, _ended_problem(state).kind))
    if _is_over(state, moment):
        return replace(_expire(), problem=_too_late())
    if _is_given_since(state.asked, command.seen_seq):
        return Decision(problem=_given_meanwhile())
    if command.changes_nothing:
        return Decision()
    return Decision(events=(RequestReassigned(to=command.to, answerer=command.answerer),))


def _is_given_since(asked: Asked, seen_seq: int) -> bool:
    """Whether the request was put to whom it is put after somebody had looked."""
    return asked.since_seq > seen_seq


def _given_meanwhile() -> Problem:
    return conflict("The request was given to another party meanwhile. Look at it again.", Kind.REASSIGNED)


def _cancel(state: Request, cancel: Cancel, moment: Moment) -> Decision:
    if state.cancel_asked and state.ended is None:
        return Decision()
    if not state.waits:
        return Decision(problem=conflict("The run has ended: there is nothing to cancel."))
    if _is_over(state, moment):
        return replace(
            _expire(), problem=conflict("The request has expired: there is nothing to cancel.", Kind.EXPIRED)
        )
    rejected = RunRejected(reason=Reason.CANCELLED, kind=cancel.kind, detail=cancel.reason)
    return Decision(events=(RunCancelRequested(kind=cancel.kind, reason=cancel.reason), rejected))
