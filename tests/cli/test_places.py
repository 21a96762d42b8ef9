"""The XDG folders."""

from pathlib import Path

import pytest

from sayso.cli import places


@pytest.mark.parametrize(
    ("written", "found"),
    [("/srv/share", "/srv/share/sayso"), ("", "~/.local/share/sayso"), ("a", "~/.local/share/sayso")],
)
def test_local_data_lies_where_xdg_says(written: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", written)
    assert places.local_data() == Path(found).expanduser()


def test_servers_are_announced_in_the_runtime_folder_and_else_in_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/7")
    assert places.runtime_folders() == [Path("/run/user/7/sayso"), Path.home() / ".cache/sayso"]
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert places.runtime_folders() == [Path.home() / ".cache/sayso"]


def test_a_link_into_the_temporary_folder_is_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "tmp")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    assert places.is_temporary(tmp_path / "link" / "store")
    assert not places.is_temporary(tmp_path / "store")
