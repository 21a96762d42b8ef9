"""The publish machine: one event of somebody's own, which stands from the moment at which it is published.

    (none) --publish--> succeeded

Its stream has a name, made of the event's source and id: the same event published again is found there.
"""

from sayso.core.commands import Ask, Command, Look, Publish, StartCall
from sayso.core.events import EventPublished, Recorded
from sayso.core.frozen import frozen
from sayso.core.heads import Outcome, Status, StreamKind, Summary
from sayso.core.machines.machine import Decision, Moment
from sayso.errors import Kind, Problem, conflict


@frozen
class Published:
    """The state of a published event's stream; without ``published_at`` there is none yet."""

    event_sha256: str = ""
    published_at: int | None = None


class PublishMachine:
    """Decides for streams of the kind ``publish``."""

    kind = StreamKind.PUBLISH

    def initial(self) -> Published:
        """A stream without events."""
        return Published()

    def evolve(self, _state: Published, recorded: Recorded) -> Published:
        """The state after the one fact."""
        match recorded.event:
            case EventPublished() as published:
                return Published(event_sha256=published.event_sha256, published_at=recorded.at)
            case other:
                raise TypeError(f"a published event's stream holds no {type(other).__name__}")

    def decide(self, state: Published, command: Command, _moment: Moment) -> Decision:
        """What the command does there, whenever it is given."""
        match command:
            case Publish(published=published) if state.published_at is None:
                return Decision(events=(published,))
            case Publish(published=published) if published.event_sha256 == state.event_sha256:
                return Decision()
            case Publish():
                detail = "Another event of this source has this id: choose a new id."
                return Decision(problem=conflict(detail, Kind.TAKEN))
            case Look():
                return Decision()
            case Ask() | StartCall():
                return Decision(problem=no_run())
            case other:
                raise TypeError(f"a published event takes no {type(other).__name__}")

    def summary(self, state: Published) -> Summary:
        """What the head repeats of the state."""
        return Summary(status=Status.STARTED, outcome=Outcome.SUCCEEDED, ended_at=state.published_at)


def no_run() -> Problem:
    """Runs and published events are named in one space, in which no two things have one name."""
    return conflict("This id is the name of a published event, or of a run: choose another.")
