"""A process that answers when told to: over HTTP with ten threads, or at the file as ``sayso answer --data`` does.

It takes three lines a round on its standard input and gives two on its standard output:

    {"run_id": …, "values": […]}  →  "ready"
    "go"                          →  [[value, status, document], …]
"""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from sayso.cli.door import Reach, opened
from sayso.cli.refusals import Refused
from tests.faults.wire import Wire

Told = list[Any]  # [value, status, document]
Answer = Callable[[str, list[int]], list[Told]]
ROOT = Path(__file__).parents[2]


class Answerer:
    """The test's side of an answering process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ready(self, run_id: str, values: Sequence[int]) -> None:
        """Hand it the next round."""
        self._say({"run_id": run_id, "values": list(values)})
        assert self._hear() == "ready"

    def go(self) -> None:
        """Let it answer now."""
        self._say("go")

    def told(self) -> list[Told]:
        """What it was told."""
        told: list[Told] = self._hear()
        return told

    def _say(self, line: Any) -> None:
        assert self._process.stdin
        print(json.dumps(line), file=self._process.stdin, flush=True)

    def _hear(self) -> Any:
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())


@contextmanager
def answering(*where: str) -> Iterator[Answerer]:
    """An answering process, gone at the end of the context: ``http PORT THREADS`` or ``file FOLDER``."""
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, *where], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        yield Answerer(process)


class Threads:
    """Threads with a connection each, that all send at once."""

    def __init__(self, port: int, count: int) -> None:
        self._start, self._end = threading.Barrier(count + 1), threading.Barrier(count + 1)
        self._run_id, self._values = "", [0] * count
        self._told: list[Told] = [[]] * count
        self._wires = [Wire(port) for _ in range(count)]
        for number, wire in enumerate(self._wires):
            threading.Thread(target=self._work, args=(number, wire), daemon=True).start()

    def _work(self, number: int, wire: Wire) -> None:
        while True:
            self._start.wait()
            value = self._values[number]
            reply = wire.send("POST", f"/runs/{self._run_id}/answer", {"answer": value})
            self._told[number] = [value, *(reply or (0, None))]
            self._end.wait()

    def connect(self) -> None:
        """Before any race: a connection that was idle may have been closed."""
        for wire in self._wires:
            wire.get("/interactions?limit=1")

    def answer(self, run_id: str, values: list[int]) -> list[Told]:
        """Each thread's value, at once."""
        self._run_id, self._values = run_id, values
        self._start.wait()
        self._end.wait()
        return self._told


def _at_file(folder: Path) -> AbstractContextManager[Any]:
    return opened(Reach(data=folder))


def _serve(answer: Answer, connect: Callable[[], None] = lambda: None) -> None:
    for line in sys.stdin:
        order = json.loads(line)
        connect()
        print('"ready"', flush=True)
        assert json.loads(sys.stdin.readline()) == "go"
        print(json.dumps(answer(order["run_id"], order["values"])), flush=True)


def _main(kind: str, *where: str) -> None:
    if kind == "http":
        threads = Threads(int(where[0]), int(where[1]))
        _serve(threads.answer, threads.connect)
        return
    with _at_file(Path(where[0])) as door:

        def answer(run_id: str, values: list[int]) -> list[Told]:
            try:
                return [[values[0], 200, door.perform("answer_interaction", run_id=run_id, answer=values[0])]]
            except Refused as refused:
                return [[values[0], refused.document["status"], refused.document]]

        _serve(answer)


if __name__ == "__main__":
    _main(*sys.argv[1:])
