"""Where things lie on this machine when nobody says: the XDG folders of the one who runs the command."""

import os
import tempfile
from pathlib import Path


def local_data() -> Path:
    """The folder of the store in local mode, made when first served."""
    return _xdg("XDG_DATA_HOME", ".local/share") / "sayso"


def runtime_folders() -> list[Path]:
    """Where running servers are announced: the first that can be written is used, all are read."""
    cache = Path.home() / ".cache" / "sayso"
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return [Path(runtime) / "sayso", cache] if Path(runtime).is_absolute() else [cache]


def is_temporary(folder: Path) -> bool:
    """Whether the folder lies where this system keeps temporary files (TMPDIR counts), which it may empty."""
    return folder.resolve().is_relative_to(Path(tempfile.gettempdir()).resolve())


def _xdg(variable: str, otherwise: str) -> Path:
    # The XDG rules: a path that is not absolute is as if it were not set.
    written = Path(os.environ.get(variable, ""))
    return written if written.is_absolute() else Path.home() / otherwise
