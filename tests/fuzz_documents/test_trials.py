"""A document is made by its seed and its index alone, and what is said of it does not hang on the process either."""

import os
import subprocess
import sys
from random import Random

from sayso.core.document.parse import parse
from sayso.errors import Problem
from tests.fuzz_documents import trials, worst

FIRST = len(worst.WORST)


def source(index: int) -> str:
    return trials.source_of(Random(f"0/{index}"), index)[1]


def said(index: int) -> str:
    try:
        return repr(parse(source(index)).warnings)
    except Problem as problem:
        return repr((problem.detail, problem.issues))


def tell_all() -> None:
    for index in range(FIRST, FIRST + 600):
        print(index, said(index).encode())


def told(hash_seed: int) -> list[str]:
    """All that is said by a process whose sets are in an order of its own."""
    words = "from tests.fuzz_documents.test_trials import tell_all; tell_all()"
    environment = os.environ | {"PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run([sys.executable, "-c", words], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_what_was_made_before_changes_nothing() -> None:
    made = [source(index) for index in range(FIRST, FIRST + 400)]
    assert [source(index) for index in range(FIRST, FIRST + 400)] == made


def test_every_process_says_the_same_of_a_document() -> None:
    assert told(1) == told(2)


def test_the_worst_documents_are_as_large_as_documents_may_be() -> None:
    sizes = {name: len(text.encode()) for name, text in worst.documents()}
    assert [name for name, size in sizes.items() if size > worst.DOCUMENT] == ["one byte too many"]
