"""Assembles the app over a store: the one place that knows every operation's performer."""

from collections.abc import Callable

from sayso.app.answer_tokens import AnswerTokens
from sayso.app.answers import Answers
from sayso.app.assignments import Assignments
from sayso.app.configured import Configured
from sayso.app.cursors import Cursors
from sayso.app.definitions import Definitions
from sayso.app.erasing import Erasing
from sayso.app.feed import Feed
from sayso.app.find import Finder
from sayso.app.functions import Functions
from sayso.app.history import History
from sayso.app.interactions import Interactions
from sayso.app.keys import Keys
from sayso.app.means import Means
from sayso.app.mint import Mint
from sayso.app.notices.notice import Courier
from sayso.app.notices.notifier import Notifier
from sayso.app.operations import Operations, Perform
from sayso.app.org_lists import OrgLists
from sayso.app.places import Places
from sayso.app.playbooks import Playbooks
from sayso.app.publishing import Publishing
from sayso.app.reference import Reference
from sayso.app.retention import Retention
from sayso.app.run_list import RunList
from sayso.app.runs import Runs
from sayso.app.runtime import App
from sayso.app.units.bell import Bell
from sayso.app.units.worker import Worker
from sayso.app.units.writer import Writer
from sayso.app.uses import Uses
from sayso.app.versions import Versions
from sayso.ports import Clock, Entropy, Store


def assemble(
    store: Store,
    writer: Writer,
    bell: Bell,
    *,
    clock: Clock,
    entropy: Entropy,
    open_limit: Callable[[], int],
    interval_ms: int,
    configured: Configured,
    told: tuple[Courier, Bell] | None = None,
    kept_ms: int | None = None,
) -> App:
    """The app over an open store and a writer that runs or is about to. ``told`` is who brings notices, and what rings
    when there is one; ``kept_ms`` after a run has ended what was written in it is erased."""
    reference = Reference(store, writer)
    means = Means(
        store=store,
        writer=writer,
        reference=reference,
        places=Places(reference),
        find=Finder(store),
        functions=Functions(store),
        mint=Mint(clock, entropy),
        cursors=Cursors(store.secret),
        clock=clock,
    )
    uses = Uses(writer)
    keys = Keys(store, reference, entropy, uses, configured)
    tokens = AnswerTokens(means, keys)
    operations = Operations(
        {
            **_of_playbooks(means),
            **_of_definitions(means),
            **_of_runs(means, open_limit),
            **_of_events(means),
            **_of_interactions(means, tokens),
            **_of_orgs(means),
        }
    )
    return App(
        operations=operations,
        keys=keys,
        tokens=tokens,
        uses=uses,
        worker=Worker(store, writer, bell, interval_ms=interval_ms),
        writer=writer,
        store=store,
        reference=reference,
        notifier=Notifier(store, writer, reference, *told, interval_ms=interval_ms) if told else None,
        retention=Retention(store, writer, reference, kept_us=kept_ms * 1000) if kept_ms else None,
    )


def _of_playbooks(means: Means) -> dict[str, Perform]:
    playbooks = Playbooks(means)
    return {
        "create_playbook": playbooks.create_playbook,
        "list_playbooks": playbooks.list_playbooks,
        "get_playbook": playbooks.get_playbook,
        "update_playbook": playbooks.update_playbook,
        "retire_playbook": playbooks.retire_playbook,
    }


def _of_definitions(means: Means) -> dict[str, Perform]:
    definitions, versions = Definitions(means), Versions(means)
    return {
        "create_definition": definitions.create_definition,
        "list_definitions": definitions.list_definitions,
        "get_definition": definitions.get_definition,
        "update_definition": definitions.update_definition,
        "retire_definition": definitions.retire_definition,
        "list_definition_versions": versions.list_definition_versions,
        "compare_definition": versions.compare_definition,
    }


def _of_runs(means: Means, open_limit: Callable[[], int]) -> dict[str, Perform]:
    runs = Runs(means, open_limit=open_limit)
    return {
        "run_definition": runs.run_definition,
        "get_run": runs.get_run,
        "get_run_input": runs.get_run_input,
        "list_runs": RunList(means).list_runs,
        "cancel_run": runs.cancel_run,
        "erase_run": Erasing(means).erase_run,
    }


def _of_events(means: Means) -> dict[str, Perform]:
    history, publishing = History(means), Publishing(means)
    return {
        "get_run_history": history.get_run_history,
        "list_playbook_events": Feed(means).list_playbook_events,
        "get_event": history.get_event,
        "publish_event": publishing.publish_event,
        "send_run_event": publishing.send_run_event,
    }


def _of_interactions(means: Means, tokens: AnswerTokens) -> dict[str, Perform]:
    interactions = Interactions(means)
    return {
        "list_interactions": interactions.list_interactions,
        "get_interaction": interactions.get_interaction,
        "answer_interaction": Answers(means).answer_interaction,
        "reassign_interaction": Assignments(means).reassign_interaction,
        "create_answer_token": tokens.create_answer_token,
    }


def _of_orgs(means: Means) -> dict[str, Perform]:
    lists = OrgLists(means)
    return {
        "list_org_interactions": lists.list_org_interactions,
        "list_org_runs": lists.list_org_runs,
    }
