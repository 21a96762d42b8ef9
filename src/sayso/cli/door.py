"""The two ways to the operations: over HTTP to a server, or at the store in this process. Both perform by name."""

import asyncio
import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self
from urllib.parse import quote, urlsplit

from sayso.cli import discovery, store
from sayso.cli.refusals import Refused, not_possible
from sayso.core.values import Json

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    import httpx2

    from sayso.app.runtime import App

Outcome = dict[str, Json]

LOCAL_ORG = "local"
ORGS_SHOWN = 5

# The public part of a key, which may be shown.
_KEY = re.compile(r"say_([a-z][a-z0-9-]{0,47})_")

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 30.0
IS_IT_THERE = "Does the server run, and is this its URL (--url, SAYSO_URL)?"
START_ONE = "Start one with `sayso serve --local`, or say where it is with --url (SAYSO_URL)."

# Where each operation that a command needs stands under an org; what is not in the path is query or body.
_PLAYBOOK = "/playbooks/{playbook}"
_DEFINITION = _PLAYBOOK + "/definitions/{type}/{name}"
_RUN = _PLAYBOOK + "/runs/{run_id}"
ROUTES: dict[str, tuple[str, str]] = {
    "list_playbooks": ("GET", "/playbooks"),
    "create_playbook": ("POST", "/playbooks"),
    "retire_playbook": ("POST", _PLAYBOOK + "/retire"),
    "create_definition": ("POST", _PLAYBOOK + "/definitions/{type}"),
    "get_definition": ("GET", _DEFINITION),
    "update_definition": ("PUT", _DEFINITION),
    "list_definitions": ("GET", _PLAYBOOK + "/definitions/{type}"),
    "list_definition_versions": ("GET", _DEFINITION + "/versions"),
    "compare_definition": ("GET", _DEFINITION + "/diff"),
    "retire_definition": ("POST", _DEFINITION + "/retire"),
    "run_definition": ("POST", _DEFINITION + "/run"),
    "get_run": ("GET", _RUN),
    "get_run_history": ("GET", _RUN + "/history"),
    "cancel_run": ("POST", _RUN + "/cancel"),
    "erase_run": ("POST", _RUN + "/erase"),
    "list_interactions": ("GET", _PLAYBOOK + "/interactions"),
    "answer_interaction": ("POST", _RUN + "/answer"),
    "reassign_interaction": ("POST", _RUN + "/reassign"),
    "create_answer_token": ("POST", _RUN + "/tokens"),
    "get_event": ("GET", _PLAYBOOK + "/events/{event_id}"),
}


class Door(Protocol):
    """Performs operations in one playbook. Raises Refused: whatever the operation refuses, and a way that is closed."""

    def perform(self, operation: str, **fields: Json) -> Outcome:
        """What the operation answers."""


@dataclass(frozen=True, kw_only=True)
class Reach:
    """What the command line says about the way: a server, or a store by its folder or its database; and which org and
    playbook.

    ``org`` None is ``local``, since nobody said another.
    """

    url: str | None = None
    key: str | None = field(default=None, repr=False)
    data: Path | None = None
    database: str | None = field(default=None, repr=False)
    org: str | None = None
    playbook: str = "default"

    @property
    def names_store(self) -> bool:
        """Whether the way is to a store itself."""
        return self.data is not None or self.database is not None

    @property
    def place(self) -> str:
        """The org and the playbook, in words."""
        return f"the playbook {self.playbook} of the org {self.org or LOCAL_ORG}"


@contextlib.contextmanager
def opened(reach: Reach) -> Iterator[Door]:
    """The door that the command line names, else that of the one local server that runs."""
    if reach.names_store:
        with AtStore(reach) as at_store:
            yield at_store
    else:
        with Remote(reach.url or _local_url(), reach) as remote:
            yield remote


def _local_url() -> str:
    servers = discovery.found()
    if len(servers) == 1:
        return servers[0].url
    if not servers:
        raise not_possible("No local server is running.", START_ONE)
    urls = ", ".join(server.url for server in servers)
    raise not_possible(f"Several local servers are running: {urls}.", "Say which with --url.")


class Remote:
    """The HTTP door of a server."""

    def __init__(self, url: str, reach: Reach) -> None:
        import httpx2

        self._url = url.rstrip("/")
        self._key = reach.key
        self._base = f"{self._url}/v1/orgs/{_part(reach.org or LOCAL_ORG)}"
        self._playbook = reach.playbook
        self._client = httpx2.Client(
            timeout=httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            headers={"authorization": f"Bearer {reach.key}"} if reach.key else {},
            # A proxy of the environment is for other machines: it must not see what goes to this one.
            trust_env=urlsplit(url).hostname not in {"127.0.0.1", "localhost", "::1"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._client.close()

    def perform(self, operation: str, **fields: Json) -> Outcome:
        """See Door."""
        response = self._sent(operation, fields)
        try:
            document = response.json()
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise not_possible(f"{self._url} answers, but not as sayso does (status {response.status_code}).")
        if response.is_success:
            return document
        raise Refused(document, self._advice(response.status_code))

    def _sent(self, operation: str, fields: dict[str, Json]) -> "httpx2.Response":
        import httpx2

        method, path = ROUTES[operation]
        in_path = {"playbook": self._playbook} | fields
        filled = path.format_map({name: _part(str(value)) for name, value in in_path.items()})
        rest = {name: value for name, value in fields.items() if f"{{{name}}}" not in path}
        try:
            if method == "GET":
                return self._client.get(self._base + filled, params=_query(rest))
            # ASCII only: a lone surrogate reaches the server as an escape, and is refused there at its place.
            body = json.dumps(rest, allow_nan=False).encode("ascii")
            headers = {"content-type": "application/json"}
            return self._client.request(method, self._base + filled, content=body, headers=headers)
        except httpx2.TimeoutException:
            raise not_possible(
                f"{self._url} did not answer in time.", "See what became of it before you repeat it."
            ) from None
        except (httpx2.UnsupportedProtocol, httpx2.InvalidURL):
            raise not_possible(f"{self._url} is not the URL of a server, such as http://127.0.0.1:8080.") from None
        except httpx2.TransportError as fault:
            raise not_possible(f"Nothing answers at {self._url} ({fault}).", IS_IT_THERE) from None

    def _advice(self, status: int) -> str | None:
        if status != 401:
            return None
        if self._key is None:
            return "This server wants a key: --key, or SAYSO_KEY. `sayso keys create --org ORG --data DIR` makes one."
        read = _KEY.match(self._key)
        if read is None:
            return "What was sent is no key of sayso: those begin with say_ (--key, or SAYSO_KEY)."
        return f"The key sent has the id {read[1]} (--key, or SAYSO_KEY)."


def _part(text: str) -> str:
    """The text as one part of a path; bytes of a command line that are no character become a question mark."""
    return quote(text, safe="", errors="replace")


def _query(fields: dict[str, Json]) -> dict[str, str]:
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
    return {name: text.encode(errors="replace").decode() for name, text in texts.items()}


class AtStore:
    """A store, opened in this process as its operator; also beside the servers that serve it."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def __enter__(self) -> Self:
        self._settings = store.settings(self._reach.data, self._reach.database)
        store.check(self._settings)
        from sayso import compose

        # One loop for all operations: the store is opened once, and stands still between them.
        self._runner = asyncio.Runner()
        running = compose.running(self._settings, work=False)
        try:
            with store.refusing(self._settings):
                self._app = self._runner.run(_entered(running))
        except BaseException:
            self._runner.close()
            raise
        self._running = running
        return self

    def __exit__(self, *exception: object) -> None:
        with self._runner:
            self._runner.run(_left(self._running))

    def perform(self, operation: str, **fields: Json) -> Outcome:
        """See Door."""
        from sayso.app.access import OPERATOR

        operations, reach = self._app.operations, self._reach
        with store.refusing(self._settings):
            org = reach.org or self._local()
            allowed = operations.allow(OPERATOR, operation, org=org, playbook=reach.playbook)
            return self._runner.run(operations.perform(allowed, fields))

    def _local(self) -> str:
        """The org local; refused where the store has others alone, of which a command would show and find nothing."""
        orgs = [row["name"] for row in self._runner.run(self._app.store.query("orgs"))]
        if not orgs or LOCAL_ORG in orgs:
            return LOCAL_ORG
        if len(orgs) == 1:
            raise not_possible(f"This store has the org {orgs[0]}: say --org {orgs[0]}.")
        raise not_possible(f"This store has {len(orgs)} orgs: say --org, such as {', '.join(orgs[:ORGS_SHOWN])}.")


async def _entered(running: "AbstractAsyncContextManager[App]") -> "App":
    return await running.__aenter__()


async def _left(running: "AbstractAsyncContextManager[App]") -> None:
    # Whatever the command raised is told where it belongs: the store only has to be closed.
    await running.__aexit__(None, None, None)
