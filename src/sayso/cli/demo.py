"""``sayso demo``: the main job once, for a newcomer, on a server of its own: ask, wait, answer, go on."""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from sayso.cli import discovery, keyboard, questions, runs, show
from sayso.cli.answer import in_dialogue
from sayso.cli.commands import Session, refusals_shown
from sayso.cli.door import Reach, opened
from sayso.cli.refusals import Refused, not_possible
from sayso.cli.screen import Screen

FUNCTION = "approve-campaign-brief"
VERDICTS = ("approve", "revise")  # what its answer schema lets through
INPUT = "review.json"
START_SECONDS = 30.0
STOP_SECONDS = 30.0

_Verdict = Annotated[
    str | None,
    typer.Option(
        "--answer", envvar="ANSWER", show_envvar=True, metavar="VERDICT", help="Answer by itself: approve or revise."
    ),
]
_Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Keep the store in this folder; without, in a temporary one."),
]


def demo(answer: _Verdict = None, data: _Data = None) -> None:
    """See the main job done once, on a server of its own.

    A real server on an SQLite file, a question, your answer, the run that goes on with it. Without a terminal, or with
    --answer, nobody is asked.
    """
    screen = Screen(for_people=True)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    if answer and answer not in VERDICTS:
        raise typer.BadParameter(f"--answer (or ANSWER) is one of: {', '.join(VERDICTS)}.")
    with refusals_shown(screen), _folder(data) as folder, _server(folder) as url:
        screen.line(f"1. A server runs at {url}, on the SQLite file {folder / 'sayso.db'}", "bold")
        reach = Reach(url=url)
        with opened(reach) as door:
            status = _shown(Session(door=door, screen=screen, reach=reach), url, answer or None)
    show.status(screen, status)
    raise typer.Exit(0 if status == "succeeded" else 1)


def _leave(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)  # unwinds, so that the server is stopped


def _shown(session: Session, url: str, verdict: str | None) -> str:
    """The demo itself, step by step; the status that the run ended with."""
    run_id = _asked(session)
    _waiting(session, run_id)
    _answered(session, run_id, url, verdict)
    run = session.door.perform("get_run", run_id=run_id)
    events = questions.history(session.door, run_id)
    session.screen.line(f"\n5. The run has {run['status']}. What happened, from its history:\n", "bold")
    show.timeline(session.screen, events)
    session.screen.line()
    show.run(session.screen, run, None)
    return str(run["status"])


def _asked(session: Session) -> str:
    """Save the example and run it on the review; the run's id."""
    source = _example(f"{FUNCTION}.md").read_text(encoding="utf-8")
    saved = runs.saved_definition(session.door, "interaction", FUNCTION, source)
    session.screen.line(f"\n2. The document examples/{FUNCTION}.md is saved, as version {saved['version']}", "bold")
    given = json.loads(_example(INPUT).read_text(encoding="utf-8"))
    run = session.door.perform("run_definition", type="interaction", name=FUNCTION, input=given)
    session.screen.line(
        f"\n3. It runs on examples/{INPUT}. The run {run['run_id']} is {run['status']}: it waits", "bold"
    )
    return str(run["run_id"])


def _example(name: str) -> Traversable:
    """A file of the examples: in the package where it is installed, beside ``src`` in a checkout."""
    packaged = resources.files("sayso") / "examples" / name
    if packaged.is_file():
        return packaged
    checkout = Path(__file__).parents[3] / "examples" / name
    if not checkout.is_file():
        raise not_possible(f"The example {name} is missing from this installation.")
    return checkout


def _waiting(session: Session, run_id: str) -> None:
    request = _request(session, run_id)
    session.screen.line("\n4. The request waits, at the cost of a row:\n", "bold")
    show.requests(session.screen, [request])
    session.screen.line()
    show.message(session.screen, request)
    session.screen.line()


def _request(session: Session, run_id: str) -> dict[str, Any]:
    request = questions.listed(session.door, run_id)
    if request is None:
        raise not_possible("The request does not wait: it ended before it was shown.")
    return request


def _answered(session: Session, run_id: str, url: str, verdict: str | None) -> None:
    """Take the answer: the one given, else a person's, else an approval where there is no terminal."""
    if verdict is None and sys.stdin.isatty() and sys.stdout.isatty():
        _by_a_person(session, run_id, url)
        return
    fact = session.door.perform("answer_interaction", run_id=run_id, answer={"verdict": verdict or "approve"})
    show.answer(session.screen, fact)


def _by_a_person(session: Session, run_id: str, url: str) -> None:
    for line in _ways(run_id, url):
        session.screen.line(line)
    schema = _request(session, run_id)["answer_schema"]

    def look() -> None:
        if session.door.perform("get_run", run_id=run_id)["status"] != "started":
            raise _EndedElsewhere

    try:
        show.answer(session.screen, in_dialogue(session, run_id, schema, lambda prompt: keyboard.line(prompt, look)))
    except _EndedElsewhere:
        session.screen.line("\nIt was answered from elsewhere.", "green")
    except Refused as refused:
        if refused.document.get("reason") != "conflict":
            raise
        session.screen.line(f"\n{refused}", "green")


def _ways(run_id: str, url: str) -> list[str]:
    """How to answer, with the commands to copy."""
    program = shlex.quote(sys.argv[0]) if "/" in sys.argv[0] else "sayso"
    path = f"{url}/v1/orgs/local/playbooks/default/runs/{run_id}/answer"
    return [
        "Answer it right here, below, or from another terminal, in one of these ways:",
        f"  {program} answer {run_id} --url {url}",
        f"  {program} answer {run_id} --url {url} verdict=approve note='Strike the claim first.'",
        f'  curl -s {path} -H \'content-type: application/json\' -d \'{{"answer": {{"verdict": "approve"}}}}\'',
        "",
    ]


class _EndedElsewhere(Exception):
    """The run ended while its answer was being typed here."""


@contextlib.contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    if data is not None:
        yield data
        return
    with tempfile.TemporaryDirectory(prefix="sayso-demo-") as temporary:
        yield Path(temporary)


@contextlib.contextmanager
def _server(folder: Path) -> Iterator[str]:
    """The URL of a server on the folder, a process of its own, stopped at the end however it comes.

    It announces itself in a folder of its own too, so that commands beside the demo find the server that they mean.
    """
    command = [sys.executable, "-P", "-m", "sayso.cli.main", "serve", "--local", "--host", "127.0.0.1"]
    with tempfile.TemporaryDirectory(prefix="sayso-demo-") as own:  # for its user alone
        log = Path(own) / "server.log"
        with log.open("wb") as output:
            process = subprocess.Popen(  # noqa: S603  this very program
                [*command, "--data", str(folder)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=os.environ | {"XDG_RUNTIME_DIR": own},
                start_new_session=True,  # Ctrl-C is for the demo, which stops the server when it is done with it
            )
        try:
            yield _url(process, log)
        finally:
            _stop(process)


def _url(process: subprocess.Popen[bytes], log: Path) -> str:
    until = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < until:
        server = discovery.found_in(log.parent / "sayso")
        if server is not None:
            return server.url
        time.sleep(0.05)
    said = log.read_text(encoding="utf-8", errors="replace").strip()
    raise not_possible(f"The server did not start. It said:\n{said}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
