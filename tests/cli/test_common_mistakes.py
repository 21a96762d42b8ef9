"""What `sayso check` prints of the common mistakes is what their page says."""

import pytest

from tests.cli.conftest import Machine
from tests.core.document.mistakes import MISTAKES, Mistake
from tests.docs.reference.mistakes import said

REFUSED = [mistake for mistake in MISTAKES if not mistake.is_taken]
TAKEN = [mistake for mistake in MISTAKES if mistake.is_taken]


@pytest.mark.parametrize(("mistakes", "code"), [(REFUSED, 1), (TAKEN, 0)], ids=["refused", "taken"])
def test_each_is_said_on_one_line(machine: Machine, mistakes: list[Mistake], code: int) -> None:
    files, expected = [], []
    for number, mistake in enumerate(mistakes):
        file = machine.home / str(number) / mistake.file
        file.parent.mkdir()
        file.write_text(mistake.source)
        files.append(str(file))
        expected.append(f"{file.parent}/{said(mistake)}")
    done = machine.sayso("check", *files)
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.splitlines() == expected
