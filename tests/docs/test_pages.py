"""What pages say of the repository: its commands, its dependencies, its files."""

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.docs import pages
from tests.docs.pages import ROOT

MAKE = re.compile(r"^make ([a-z]+)|`make ([a-z]+)", re.MULTILINE)
SVG = "{http://www.w3.org/2000/svg}"
ADRS = sorted((ROOT / "docs/adr").glob("0*.md"))


@pytest.mark.parametrize("page", pages.PAGES, ids=pages.name)
def test_make_targets_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    named = {first or second for first, second in MAKE.findall(page.read_text(encoding="utf-8"))}
    assert named - known == set()


def test_readme_names_the_two_commands() -> None:
    rows = re.findall(r"^\| `make ([a-z]+)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == ["demo", "test"]


def test_dependencies_are_listed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [re.split(r"[<>=;\[ ]", one)[0] for one in project["dependencies"]]
    page = (ROOT / "docs/reference/dependencies.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([^`]+)`", page, re.MULTILINE) == needed


@pytest.mark.parametrize("page", ADRS, ids=pages.name)
def test_decisions_have_their_form(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith(f"# {page.name[:4]} ")
    assert [line for line in lines if line.startswith("## ")] == ["## Context", "## Decision", "## Consequences"]
    assert len(lines) < 40


def test_decisions_are_listed_in_order() -> None:
    listed = re.findall(r"\(([^)]+\.md)\)", (ROOT / "docs/adr/README.md").read_text(encoding="utf-8"))
    assert listed == [page.name for page in ADRS]
    assert [page.name[:4] for page in ADRS] == [f"{number:04}" for number in range(1, len(ADRS) + 1)]


@pytest.mark.parametrize("picture", sorted(ROOT.glob("docs/**/*.svg")), ids=pages.name)
def test_pictures_stand_alone_and_say_what_they_show(picture: Path) -> None:
    source = picture.read_text(encoding="utf-8")
    root = ElementTree.fromstring(source)
    assert root.tag == f"{SVG}svg" and root.get("viewBox") and root.get("role") == "img"
    assert root.findtext(f"{SVG}title") and root.findtext(f"{SVG}desc")
    assert "prefers-color-scheme: dark" in source
    assert not re.search(r"href|<image|<script|url\((?!#)", source)


def test_files_that_pages_name_exist() -> None:
    named = {
        name
        for page in pages.PAGES
        for name in re.findall(r"`((?:src|tests|docs|examples)/[\w./-]+\.\w+)`", page.read_text(encoding="utf-8"))
    }
    assert named
    assert {name for name in named if not (ROOT / name).exists()} == set()


def test_glossary_is_in_the_order_of_the_alphabet() -> None:
    words = re.findall(r"^\*\*([A-Z][a-z]+)\*\*", (ROOT / "docs/glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert words == sorted(words) and {"Harness", "Interaction", "Unit"} <= set(words)
