"""How a command finds the local server by itself: each announces itself in a small file while it runs."""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from sayso.cli import places

LOOK_SECONDS = 2.0


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server in local mode, as it announces itself."""

    url: str
    pid: int
    started: str


@contextlib.contextmanager
def announced(url: str) -> Iterator[bool]:
    """While the context lasts, this process can be found at the URL; False when no folder can be written."""
    server = Server(url=url, pid=os.getpid(), started=datetime.now(UTC).isoformat(timespec="milliseconds"))
    file = _written(server)
    try:
        yield file is not None
    finally:
        if file is not None:
            file.unlink(missing_ok=True)


def found() -> list[Server]:
    """The local servers of this user that run now and answer as sayso; what dead ones left behind is swept away."""
    return [server for server in _alive(places.runtime_folders()) if answers(server.url)]


def found_in(folder: Path) -> Server | None:
    """The server that is announced in this folder alone and answers, if it has come so far."""
    return next((server for server in _alive([folder]) if answers(server.url)), None)


def answers(url: str) -> bool:
    """Whether a sayso server answers at the URL and takes work, and not whatever took its port since."""
    import httpx2

    try:
        said = httpx2.get(url, timeout=LOOK_SECONDS, trust_env=False)
        return said.status_code == 200 and said.json()["name"] == "sayso"
    except (httpx2.HTTPError, ValueError, KeyError, TypeError):
        return False


def _written(server: Server) -> Path | None:
    for folder in places.runtime_folders():
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _replaced(folder / f"{server.pid}.json", json.dumps(asdict(server)))
    return None


def _replaced(file: Path, text: str) -> Path:
    # Whole or not there: a reader never sees half of it. mkstemp gives the mode 0600.
    number, draft = tempfile.mkstemp(dir=file.parent, prefix=".draft-")
    with os.fdopen(number, "w", encoding="utf-8") as stream:
        stream.write(text)
    Path(draft).replace(file)
    return file


def _alive(folders: Iterable[Path]) -> Iterator[Server]:
    for folder in folders:
        for file in sorted(folder.glob("*.json")):
            server = _read(file)
            if server and _is_alive(server.pid):
                yield server
            elif server:
                file.unlink(missing_ok=True)


def _read(file: Path) -> Server | None:
    try:
        if file.stat().st_uid != os.getuid():
            return None
        written = json.loads(file.read_text(encoding="utf-8"))
        return Server(url=str(written["url"]), pid=int(written["pid"]), started=str(written["started"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (OSError, OverflowError):
        return False
    return pid > 0
