"""The container: its file names what there is, and its steps make a system in which sayso serves, as nobody much."""

import os
import re
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from sayso.cli.main import app
from sayso.config.table import BY_NAME
from tests.deploy import containerfile
from tests.deploy.containerfile import ROOT, Stage
from tests.deploy.debian import Debian

SECONDS = 60.0
STAGES = containerfile.stages(containerfile.FILE.read_text(encoding="utf-8"))
BUILD, LAST = STAGES
ENDS = "the steps are performed by `make container-steps`, and take minutes"


def test_what_is_copied_is_there() -> None:
    named = [word for words in BUILD.all("COPY") for word in words.split()[:-1]]
    assert {"src", "examples", "requirements-postgres.txt"} <= set(named)
    assert all((ROOT / word).exists() for word in named)


def test_every_variable_is_a_setting() -> None:
    assert LAST.variables.keys() <= BY_NAME.keys()


def test_it_runs_as_a_user_of_its_own_with_a_health_check() -> None:
    assert LAST.all("USER") == ["sayso"]
    assert LAST.listed("ENTRYPOINT") + LAST.listed("CMD") == ["/opt/sayso/bin/sayso", "serve"]
    assert LAST.listed("CMD")[0] in {command.name for command in app.registered_commands}
    assert "/ready" in LAST.listed("HEALTHCHECK")[-1]


def test_nothing_is_fetched_but_from_the_index_and_by_its_hash() -> None:
    steps = "\n".join(words for stage in STAGES for words in stage.all("RUN"))
    assert not re.search(r"https?://|curl|wget|git ", steps)
    assert "--require-hashes" in steps
    assert {stage.image for stage in STAGES} == {"debian:bookworm-slim"}


def test_an_unknown_instruction_is_noticed() -> None:
    with pytest.raises(ValueError, match="ADD"):
        containerfile.stages("FROM x\nADD https://example.com/x /x\n")


@pytest.mark.slow
@pytest.mark.skipif("SAYSO_CONTAINER_STEPS" not in os.environ, reason=ENDS)
def test_the_steps_make_a_system_in_which_sayso_serves(tmp_path: Path) -> None:
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        pytest.skip("the steps need root and debootstrap")
    try:
        plain = Debian.made(tmp_path / "plain")
        build, last = plain.like(tmp_path / "build"), plain.like(tmp_path / "last")
        _perform(BUILD, build, {})
        _perform(LAST, last, {"build": build})
        _serves(last)
    finally:
        for folder in tmp_path.iterdir():  # half a gigabyte each
            shutil.rmtree(folder)


def _perform(stage: Stage, system: Debian, others: dict[str, Debian]) -> None:
    for instruction, words in stage.steps:
        match instruction:
            case "RUN":
                with system.reached():
                    system.run(words)
            case "COPY":
                _copy(words.split(), system, others)
            case "ENV":
                name, value = words.split("=", 1)
                system.variables[name] = value
            case "WORKDIR":
                system.at(words).mkdir(parents=True, exist_ok=True)
                system.working = words
            case "USER":
                system.user = words


def _copy(words: list[str], system: Debian, others: dict[str, Debian]) -> None:
    came = others[words.pop(0).removeprefix("--from=")] if words[0].startswith("--from=") else None
    *sources, target = words
    for source in sources:
        found = ROOT / source if came is None else came.at(source)
        place = system.at(target) / found.name if target.endswith("/") else system.at(target)
        place.parent.mkdir(parents=True, exist_ok=True)
        if found.is_dir():
            shutil.copytree(found, place, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(found, place)


def _serves(system: Debian) -> None:
    """A server in the system comes up healthy, without root, writes its data alone, and stops when told."""
    system.variables |= {"HOST": "127.0.0.1", "PORT": "18080", "SAYSO_DATA": "/var/lib/sayso/data"}
    command = system.command(*LAST.listed("ENTRYPOINT"), *LAST.listed("CMD"))
    environment = {**system.environment, "HOME": "/var/lib/sayso"}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    health = system.command(*LAST.listed("HEALTHCHECK"))
    try:
        until = time.monotonic() + SECONDS
        while subprocess.run(health, env=environment, capture_output=True, check=False).returncode != 0:
            assert process.poll() is None and time.monotonic() < until, process.stderr and process.stderr.read()
            time.sleep(0.2)
        with urllib.request.urlopen("http://127.0.0.1:18080/health", timeout=10) as reply:
            assert reply.status == 200
        assert (system.folder / "var/lib/sayso/data/sayso.db").stat().st_uid == 10_001
    finally:
        process.terminate()
        assert process.wait(SECONDS) == 0
        assert process.stderr is not None
        process.stderr.close()
