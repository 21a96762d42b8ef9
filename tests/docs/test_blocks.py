"""Every block that a page shows of a terminal is run, in order, and shows what the page says."""

import shutil
from pathlib import Path

import pytest

from tests.docs import pages
from tests.docs.alike import Alike
from tests.docs.pages import Block
from tests.docs.session import DATABASE_SHOWN, Differs, Session

RUN = [page for page in pages.PAGES if any("console" in block.words for block in pages.blocks(page))]
KNOWN = {"console", "sh", "text", "json", "mermaid", "markdown", "python", "sql", "yaml"}


@pytest.mark.parametrize("page", RUN, ids=pages.name)
def test_page_shows_what_comes(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    blocks = pages.blocks(page)
    uses_database = any(DATABASE_SHOWN in block.text for block in blocks)
    database = request.getfixturevalue("postgres15").fresh() if uses_database else DATABASE_SHOWN
    if any("curl" in block.text for block in blocks if "console" in block.words) and not shutil.which("curl"):
        pytest.skip("the page uses curl, which this machine does not have")
    with Session(tmp_path, database) as session:
        for block in blocks:
            session.follow(block)


def test_pages_that_must_run_are_found() -> None:
    assert {"README.md", "docs/tutorial/first-question.md"} <= {pages.name(page) for page in RUN}


@pytest.mark.parametrize("page", pages.PAGES, ids=pages.name)
def test_blocks_say_what_they_are(page: Path) -> None:
    unknown = [block.line for block in pages.blocks(page) if not block.words or block.words[0] not in KNOWN]
    assert unknown == []


def test_another_output_is_noticed(tmp_path: Path) -> None:
    block = Block(words=("console",), text="$ echo yes\nno\n", line=7)
    with pytest.raises(Differs, match="line 7"), Session(tmp_path) as session:
        session.follow(block)


def test_an_id_stands_for_one_thing() -> None:
    shown = "0190a0a0-0000-7000-8000-000000000001"
    alike = Alike()
    assert not alike.differs([f"run {shown}"], ["run  0199ffff-0000-7000-8000-00000000abcd"])
    assert alike.command(f"sayso show {shown}") == "sayso show 0199ffff-0000-7000-8000-00000000abcd"
    assert alike.differs([shown], ["0199ffff-0000-7000-8000-00000000abce"]) == shown


@pytest.mark.parametrize(
    ("came", "alike"),
    [(["a", "b", "c", "end"], True), (["a", "end"], True), (["a", "b"], False), (["a", "end", "more"], False)],
)
def test_dots_stand_for_any_lines(came: list[str], alike: bool) -> None:
    assert (Alike().differs(["a", "…", "end"], came) is None) == alike
