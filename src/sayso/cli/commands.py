"""What the commands share: the options that say which door, and how a refusal leaves the process.

A command is a function of a ``Session`` and of its own options; ``at_a_door`` gives it the options of the door, opens
that, and turns a refusal into words and exit code 1.
"""

import contextlib
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec

import typer

from sayso.cli import questions
from sayso.cli.door import Door, Reach, opened
from sayso.cli.refusals import Refused
from sayso.cli.screen import Screen
from sayso.cli.usage import whole
from sayso.cli.values import given_json
from sayso.core.values import Json

P = ParamSpec("P")

Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="The store in this folder. Without it: SAYSO_DATA."),
]
Database = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", help="The store in this PostgreSQL. Without it: SAYSO_DATABASE."),
]
Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The configuration file. Without it: CONFIG_FILE."),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, for programs.")]
RunId = Annotated[str, typer.Argument(metavar="RUN_ID", help="The run, by its id.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The definition, by its name.")]
Input = Annotated[
    str | None, typer.Option("--input", metavar="JSON", help="The input: JSON, @FILE, or - for standard input.")
]
Limit = Annotated[
    int,
    typer.Option(
        "--limit", metavar="N", parser=whole(1, questions.PAGE), help=f"At most so many, 1 to {questions.PAGE}."
    ),
]
Cursor = Annotated[str | None, typer.Option("--cursor", metavar="CURSOR", help="Go on where a list before ended.")]

_Url = Annotated[str | None, typer.Option("--url", envvar="SAYSO_URL", metavar="URL", help="The server to ask.")]
_Key = Annotated[str | None, typer.Option("--key", envvar="SAYSO_KEY", metavar="KEY", help="The API key for it.")]
_AtFile = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="Work on the store in this folder, without a server.")
]
_AtDatabase = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", help="Work on the store in this PostgreSQL, without a server."),
]
_Org = Annotated[
    str | None, typer.Option("--org", envvar="SAYSO_ORG", metavar="ORG", help="The org. Without a key: local.")
]
_Playbook = Annotated[
    str, typer.Option("--playbook", envvar="SAYSO_PLAYBOOK", metavar="PLAYBOOK", help="The playbook to act in.")
]


@dataclass(frozen=True, kw_only=True)
class Session:
    """A command under way: its door, its screen, and what the command line said of the way."""

    door: Door
    screen: Screen
    reach: Reach


@contextlib.contextmanager
def refusals_shown(screen: Screen) -> Iterator[None]:
    """Show a refusal and leave with exit code 1."""
    try:
        yield
    except Refused as refused:
        screen.refused(refused)
        raise typer.Exit(1) from None


def input_of(written: str) -> Json:
    """What ``--input`` holds."""
    try:
        return given_json("--input", written)
    except ValueError as fault:
        raise typer.BadParameter(str(fault)) from None


def at_a_door(command: Callable[Concatenate[Session, P], None]) -> Callable[..., None]:
    """The command with the options of the door after its own."""

    @functools.wraps(command)
    def run(
        *arguments: Any,
        url: str | None,
        key: str | None,
        data: Path | None,
        database: str | None,
        org: str | None,
        playbook: str,
        as_json: bool,
        **options: Any,
    ) -> None:
        screen = Screen(as_json=as_json)
        said = Reach(url=url, key=key, data=data, database=database, org=org, playbook=playbook)
        reach = _settled(said)
        with refusals_shown(screen), opened(reach) as door:
            command(Session(door=door, screen=screen, reach=reach), *arguments, **options)

    run.__dict__["__signature__"] = _with_door_options(command)  # what typer reads the options from
    return run


def _with_door_options(command: Callable[..., None]) -> inspect.Signature:
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    named = [
        ("url", _Url, None),
        ("key", _Key, None),
        ("data", _AtFile, None),
        ("database", _AtDatabase, None),
        ("org", _Org, None),
        ("playbook", _Playbook, "default"),
        ("as_json", AsJson, False),
    ]
    kind = inspect.Parameter.KEYWORD_ONLY
    added = [inspect.Parameter(name, kind, default=default, annotation=type_) for name, type_, default in named]
    return inspect.Signature([*own, *added])


def _settled(said: Reach) -> Reach:
    """What the options say together. An option beats the environment, so ``--data`` sets SAYSO_URL aside."""
    if said.names_store:
        return replace(said, url=None, key=None)
    key = _key(said.key)
    if key is not None and said.url is None:
        raise typer.BadParameter("A key is for a server: name it with --url (SAYSO_URL).")
    if key is not None and said.org is None:
        raise typer.BadParameter("Say which org the key belongs to: --org (SAYSO_ORG).")
    return replace(said, key=key)


def _key(written: str | None) -> str | None:
    """The key without the blanks and line ends that come with a file. It is never shown, not even where it is wrong."""
    key = (written or "").strip()
    if re.search("[^A-Za-z0-9_-]", key):
        raise typer.BadParameter("The key holds a character that no key has (--key or SAYSO_KEY).")
    return key or None
