"""The built wheel, in an environment of its own, outside the checkout, does the main job."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path, **environ: str) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={key: value for key, value in os.environ.items() if not key.startswith("SAYSO_")} | environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment with the locked dependencies and the wheel, and nothing else."""
    place = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", place, cwd=ROOT)
    (wheel,) = place.glob("*.whl")
    venv.create(place / "venv", with_pip=True)
    python = place / "venv" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "-q", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "-r", ROOT / "requirements.txt", cwd=place)
    run(*pip, "--no-deps", wheel, cwd=place)
    return python.parent


def test_the_wheel_does_the_main_job_away_from_the_checkout(installed: Path, tmp_path: Path) -> None:
    out = run(installed / "sayso", "demo", cwd=tmp_path, HOME=str(tmp_path), ANSWER="approve")
    assert out.splitlines()[-1] == "succeeded"
    assert "run_succeeded" in out


def test_the_wheel_says_its_version_and_is_typed(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sayso, pathlib; print(sayso.__version__, (pathlib.Path(sayso.__file__).parent / 'py.typed').exists())"
    )
    assert run(installed / "python", "-c", code, cwd=tmp_path).split() == ["0.1.0", "True"]
