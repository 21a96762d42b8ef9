"""A plain Debian in a folder, made by debootstrap, in which the steps of a container are performed as root."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

SUITE = "bookworm"
# How this machine reaches packages, so that a step in the folder reaches them too.
REACH = (
    "/etc/resolv.conf",
    "/etc/pip.conf",
    "/root/.config/pip/pip.conf",
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/apt/apt.conf.d",
    "/etc/apt/auth.conf.d",
    "/etc/apt/sources.list.d",
)
_PASSED_ON = ("PIP_", "SSL_CERT_FILE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")


class Debian:
    """One system in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.variables: dict[str, str] = {}
        self.user: str | None = None
        self.working = "/"

    @classmethod
    def made(cls, folder: Path) -> "Debian":
        """A system with nothing but what every Debian has."""
        command = ["debootstrap", "--variant=minbase", SUITE, str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return cls(folder)

    def like(self, folder: Path) -> "Debian":
        """Another that begins as this one is now."""
        subprocess.run(["cp", "-a", str(self.folder), str(folder)], check=True)
        return Debian(folder)

    def at(self, path: str) -> Path:
        """Where a path of the system is on this machine."""
        return self.folder / os.path.normpath(f"{self.working}/{path}" if path[0] != "/" else path).lstrip("/")

    @contextlib.contextmanager
    def reached(self) -> Iterator[None]:
        """While the context lasts, it reaches packages as this machine does; its own files are put back at the end."""
        before: dict[Path, Path | None] = {}
        for name in REACH:
            source, target = Path(name), self.at(name)
            if source.exists():
                kept = target.with_name(f"{target.name}.kept")
                if target.exists():
                    target.rename(kept)
                before[target] = kept if kept.exists() else None
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copytree(source, target) if source.is_dir() else shutil.copy(source.resolve(), target)
        try:
            yield
        finally:
            for target, own in before.items():
                shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
                if own is not None:
                    own.rename(target)

    @property
    def environment(self) -> Mapping[str, str]:
        """What a step has in its environment."""
        passed = {name: value for name, value in os.environ.items() if name.startswith(_PASSED_ON)}
        fixed = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        return passed | fixed | self.variables | {"DEBIAN_FRONTEND": "noninteractive"}

    def command(self, *words: str) -> list[str]:
        """What runs a program in it, as its user."""
        user = ["--userspec", f"{self.user}:{self.user}"] if self.user else []
        return ["chroot", *user, str(self.folder), "/bin/sh", "-c", 'cd "$0" && exec "$@"', self.working, *words]

    def run(self, line: str) -> None:
        """A line of a shell."""
        done = subprocess.run(
            self.command("/bin/sh", "-c", line), env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
