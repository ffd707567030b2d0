"""Several processes train one system together, as a user starts them; each is real, on the CPU."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rollcall import train
from rollcall.systems.train.model_folder import read_about
from tiny_checkpoints import tiny_generator
from toy_examples import saved_examples, toy_texts

pytest.importorskip("accelerate", reason="training needs the extra `neural`")
from safetensors.torch import load_file

pytestmark = pytest.mark.slow
OPTIONS = {
    "epochs": 2,
    "batch": 16,
    "learning_rate": 0.001,
    "tokens": 200,
    "dev_passages": 4,
    "output_tokens": 8,
}


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """Exercises, a base to start from, and the folder of a training by one process."""
    place = tmp_path_factory.mktemp("processes")
    saved_examples(place / "exercises", 20, 4)
    tiny_generator(place / "base", "llama", toy_texts())
    train(
        "pig",
        exercises=place / "exercises",
        base=str(place / "base"),
        out=place / "alone",
        options=OPTIONS,
        progress=False,
    )
    return place


def launched(place: Path, out: Path, before: str = "", **options: object) -> subprocess.CompletedProcess[str]:
    """`accelerate launch` of the command line, with two processes; `before` is run in each of them first."""
    script = place / f"{out.name}.py"
    script.write_text(f"{before}\nfrom rollcall.cli.main import main\nmain()\n")
    chosen = [f"--option={name}={value}" for name, value in {**OPTIONS, **options}.items()]
    return subprocess.run(
        [
            *(sys.executable, "-m", "accelerate.commands.launch", "--cpu", "--num_processes=2"),
            *("--num_machines=1", "--mixed_precision=no", "--dynamo_backend=no", str(script), "train", "pig"),
            *("--exercises", str(place / "exercises"), "--base", str(place / "base"), "--out", str(out)),
            *chosen,
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def assert_same_weights(one: Path, other: Path) -> None:
    first, second = load_file(one / "model.safetensors"), load_file(other / "model.safetensors")
    assert first.keys() == second.keys()
    assert all(first[name].allclose(second[name], atol=1e-4) for name in first)


def test_two_processes_learn_what_one_learns(given):
    done = launched(given, given / "together")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("pig trained on 20 questions") == 1
    assert re.search(r"; F1 of questions that it had not learned from: \d\.\d{3}\n", done.stdout)
    assert_same_weights(given / "alone", given / "together")
    alone, together = read_about(given / "alone", "pig"), read_about(given / "together", "pig")
    assert alone.steps == together.steps
    assert not (given / "together.training").exists()


@pytest.mark.parametrize("killed", [0, 1])
def test_a_killed_process_ends_all_and_the_training_continues(given, killed):
    out = given / f"killed-{killed}"
    before = f"""
import os, signal
from rollcall.systems.train.loop import Training
step = Training.step
def counted(self, examples, number=0):
    if number == 5 and os.environ["RANK"] == "{killed}":
        os.kill(os.getpid(), signal.SIGKILL)
    return step(self, examples, number)
Training.step = counted
"""
    done = launched(given, out, before, save=0)
    assert done.returncode not in (0, -signal.SIGKILL)
    assert not out.exists()
    assert (given / f"{out.name}.training").is_dir()
    assert launched(given, out, save=0).returncode == 0
    assert_same_weights(given / "alone", out)
    shutil.rmtree(out)
