"""Links within the docs lead somewhere, and every page can be reached from the README."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.docs import pages

OUTSIDE = {
    "https://on.auto/docs/reference/interaction-format",
    "https://keepachangelog.com/en/1.1.0/",
    "https://semver.org/spec/v2.0.0.html",
    "https://cloudevents.io",
    "https://www.standardwebhooks.com",
}


@pytest.mark.parametrize("page", pages.PAGES, ids=pages.name)
def test_links_lead_somewhere(page: Path) -> None:
    lost = [target for target in pages.targets(page) if not leads_somewhere(page, target)]
    assert lost == []


def leads_somewhere(page: Path, target: str) -> bool:
    parts = urlsplit(target)
    if parts.scheme:
        return target in OUTSIDE
    other = (page.parent / parts.path).resolve() if parts.path else page
    if not other.is_relative_to(pages.ROOT) or not other.exists():
        return False
    return not parts.fragment or parts.fragment in pages.anchors(other)


def test_a_lost_link_is_noticed(tmp_path: Path) -> None:
    readme = pages.ROOT / "README.md"
    assert not leads_somewhere(readme, "docs/nowhere.md")
    assert not leads_somewhere(readme, "docs/glossary.md#no-such-heading")
    assert not leads_somewhere(readme, "https://example.com/")


def test_every_page_is_reached_from_the_readme() -> None:
    waiting, reached = [pages.ROOT / "README.md"], set[Path]()
    while waiting:
        page = waiting.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            local = (target.split("#")[0] for target in pages.targets(page) if not urlsplit(target).scheme)
            waiting += [(page.parent / target).resolve() for target in local if target]
    pages_of_docs = {page for page in pages.PAGES if "tests" not in page.parts}
    assert pages_of_docs - reached == set()
