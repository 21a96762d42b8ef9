"""The definition machine: versions of one named document, until it is retired for good."""

from dataclasses import replace

from sayso.core.commands import Command, CreateDefinition, Look, RetireDefinition, UpdateDefinition
from sayso.core.events import DefinitionRetired, DefinitionSaved, Recorded
from sayso.core.frozen import frozen
from sayso.core.heads import Outcome, Status, StreamKind, Summary
from sayso.core.machines.machine import Decision, Moment
from sayso.errors import Kind, conflict


@frozen
class Definition:
    """The state of a definition's stream: its newest version and where it stands in the stream."""

    saved: DefinitionSaved | None = None
    saved_seq: int = 1
    retired_at: int | None = None


class DefinitionMachine:
    """Decides for streams of the kind ``definition``."""

    kind = StreamKind.DEFINITION

    def initial(self) -> Definition:
        """A stream without events."""
        return Definition()

    def evolve(self, state: Definition, recorded: Recorded) -> Definition:
        """The state after one more fact."""
        match recorded.event:
            case DefinitionSaved() as saved:
                return Definition(saved=saved, saved_seq=recorded.seq)
            case DefinitionRetired():
                return replace(state, retired_at=recorded.at)
            case other:
                raise TypeError(f"a definition's stream holds no {type(other).__name__}")

    def decide(self, state: Definition, command: Command, _moment: Moment) -> Decision:
        """What the command does to a definition that stands so, whenever it is given."""
        match command:
            case CreateDefinition():
                return _create(state, command)
            case UpdateDefinition():
                return _update(state, command)
            case RetireDefinition():
                return _retire(state)
            case Look():
                return Decision()
            case other:
                raise TypeError(f"a definition takes no {type(other).__name__}")

    def summary(self, state: Definition) -> Summary:
        """What the head repeats of the state."""
        assert state.saved is not None, "a head is written after an event"
        retired = state.retired_at is not None
        return Summary(
            status=Status.STARTED,
            outcome=Outcome.RETIRED if retired else None,
            ended_at=state.retired_at,
            from_seq=state.saved_seq,
            definition_version=state.saved.version,
        )


def _create(state: Definition, command: CreateDefinition) -> Decision:
    if state.saved is None:
        return Decision(events=(replace(command.saved, version=1),))
    if state.retired_at is not None:
        return Decision(problem=conflict("The name belonged to a retired definition: choose another.", Kind.TAKEN))
    return Decision(problem=conflict("The name is taken: choose another, or update the definition.", Kind.TAKEN))


def _update(state: Definition, command: UpdateDefinition) -> Decision:
    assert state.saved is not None, "only an existing stream is updated"
    if state.retired_at is not None:
        return Decision(problem=conflict("The definition is retired: it changes no more.", Kind.RETIRED))
    if state.saved.source_sha256 == command.saved.source_sha256:  # whatever was expected: this may be the second try
        return Decision()
    version = state.saved.version
    if command.expected_version not in {None, version}:
        detail = f"The definition is at version {version}, not {command.expected_version}. Read it, then update again."
        return Decision(problem=conflict(detail, Kind.VERSION_CONFLICT))
    return Decision(events=(replace(command.saved, version=version + 1),))


def _retire(state: Definition) -> Decision:
    assert state.saved is not None, "only an existing stream is retired"
    if state.retired_at is not None:
        return Decision()
    return Decision(events=(DefinitionRetired(version=state.saved.version),))
