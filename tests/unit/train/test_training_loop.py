"""Training: any system is trained, evaluated, resumed and reported in the same way."""

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest

from rollcall import RollcallError
from rollcall.systems.train.loop import STATE
from rollcall.systems.train.trainable import Trainable, TrainingOptions
from rollcall.systems.train.training_example import TrainingExample

torch = pytest.importorskip("torch", reason="training needs the extra `neural`")
pytest.importorskip("accelerate", reason="training needs the extra `neural`")

from rollcall.systems.train.loop import Training  # noqa: E402


class Line(Trainable[float]):
    """Learns the slope and intercept of a line, with dropout, so that random numbers matter."""

    measure = "fit"

    def __init__(self) -> None:
        torch.manual_seed(1)
        self.network = torch.nn.Sequential(
            torch.nn.Linear(1, 16), torch.nn.Dropout(0.2), torch.nn.Linear(16, 1)
        )

    def encode_examples(self, examples, seed):
        return [float(one.question) for one in examples]

    def size(self, item):
        return 1 + int(item) % 3

    def loss(self, items):
        x = torch.tensor(items).unsqueeze(1) / 10
        return ((self.network(x) - (2 * x + 1)) ** 2).mean()

    def evaluate(self, examples):
        return {"fit": -float(self.loss([float(one.question) for one in examples]))}

    def save(self, folder, examples):
        torch.save(self.network.state_dict(), folder / "weights.pt")


EXERCISES = [TrainingExample(str(number), str(number)) for number in range(40)]


def trained(folder: Path, **options: object) -> Line:
    system = Line()
    chosen = TrainingOptions(**{"learning_rate": 0.02, "batch": 8, "epochs": 12, **options})
    folder.mkdir(exist_ok=True)
    Training(system, chosen, EXERCISES, EXERCISES[:8], folder, "made by a test", show=False).run()
    return system


def weights(system: Line) -> list[float]:
    return [float(one) for part in system.network.parameters() for one in part.flatten()]


def test_a_system_learns(tmp_path):
    assert trained(tmp_path, epochs=100).evaluate(EXERCISES)["fit"] > -0.1
    assert Line().evaluate(EXERCISES)["fit"] < -1


def test_the_memory_that_a_step_may_use_does_not_change_what_is_learned(tmp_path):
    # Without dropout, whose numbers are drawn for each part.
    def without_dropout(name: str, tokens: int) -> list[float]:
        system = Line()
        system.network[1].p = 0.0
        (tmp_path / name).mkdir()
        options = TrainingOptions(learning_rate=0.02, batch=8, epochs=3, tokens=tokens)
        Training(system, options, EXERCISES, (), tmp_path / name, "", show=False).run()
        return weights(system)

    assert without_dropout("much", 1000) == pytest.approx(without_dropout("little", 3), abs=1e-5)


def test_another_seed_gives_another_system_and_the_same_seed_the_same(tmp_path):
    first, again, other = (
        trained(tmp_path / name, seed=seed) for name, seed in [("a", 1), ("b", 1), ("c", 2)]
    )
    assert weights(first) == weights(again)
    assert weights(first) != weights(other)


SCRIPT = """
import os, signal, sys
from pathlib import Path
from typing import ClassVar
sys.path.insert(0, {tests!r})
from test_training_loop import Line, trained
step, at = Line.backward, int(sys.argv[2])
def counted(self, *given, count=[0]):
    count[0] += 1
    if count[0] == at:
        os.kill(os.getpid(), signal.SIGKILL)
    return step(self, *given)
Line.backward = counted
trained(Path(sys.argv[1]), save=0.0)
"""


SLOW = pytest.mark.slow


@pytest.mark.parametrize("steps", [[3], pytest.param([7, 2, 20], marks=SLOW), pytest.param([61], marks=SLOW)])
def test_a_killed_training_ends_with_the_same_weights(tmp_path, steps):
    script = SCRIPT.format(tests=str(Path(__file__).parent))
    for at in steps:
        done = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / "killed"), str(at)],
            capture_output=True,
            text=True,
            env=os.environ,
            check=False,
        )
        assert done.returncode in (-signal.SIGKILL, 0), done.stderr
    assert weights(trained(tmp_path / "killed")) == weights(trained(tmp_path / "undisturbed"))


def test_an_unfinished_training_with_other_options_is_not_continued(tmp_path):
    trained(tmp_path)
    system = Line()
    with pytest.raises(
        RollcallError, match="holds an unfinished training with other options or training examples"
    ):
        Training(system, TrainingOptions(), EXERCISES, (), tmp_path, "made by another", show=False).run()


class Crafted:
    """What a state made by somebody else may do."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> object:
        return (Path.touch, (self.mark,))


def test_a_state_that_is_damaged_or_crafted_is_refused_and_runs_nothing(tmp_path):
    mark = tmp_path / "ran"
    trained(tmp_path)
    whole = (tmp_path / STATE).read_bytes()
    torch.save({"place": Crafted(mark)}, tmp_path / "crafted.pt")
    crafted = (tmp_path / "crafted.pt").read_bytes()
    for content in (
        b"",
        b"nothing of the kind",
        whole[: len(whole) // 2],
        crafted,
        pickle.dumps(Crafted(mark)),
    ):
        (tmp_path / STATE).write_bytes(content)
        with pytest.raises(RollcallError, match=r"state\.pt: is damaged .*; delete it to start again"):
            trained(tmp_path)
    assert not mark.exists()


def test_the_best_weights_are_kept_and_training_stops_early(tmp_path):
    class Worse(Line):
        figures = iter([0.5, 0.9, 0.3, 0.2, 0.1, 1.0])
        seen: ClassVar[list[list[float]]] = []

        def evaluate(self, examples):
            self.seen.append(weights(self))
            return {"fit": next(self.figures)}

    system = Worse()
    options = TrainingOptions(batch=8, epochs=6, patience=2)
    place = Training(system, options, EXERCISES, EXERCISES[:8], tmp_path, "", show=False).run()
    assert place.best == pytest.approx(0.9)
    assert len(system.seen) == 4  # two evaluations without a better one
    assert weights(system) == system.seen[1]


def test_a_loss_that_is_no_number_stops_with_advice(tmp_path):
    with pytest.raises(RollcallError, match="give a smaller learning_rate"):
        trained(tmp_path, learning_rate=1e30, clip=1e30)


def test_memory_that_runs_out_names_the_option_to_change(tmp_path, monkeypatch):
    def exhausted(self, *given):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(Line, "backward", exhausted)
    with pytest.raises(RollcallError, match="give --option tokens=8192, or --option checkpointing=true"):
        trained(tmp_path)


def test_a_limit_of_time_ends_with_the_learning_rate_at_its_end(tmp_path):
    rates = []

    class Watched(Line):
        def backward(self, *given):
            return super().backward(*given)

    system = Watched()
    options = TrainingOptions(batch=8, epochs=1, minutes=0.005)
    training = Training(system, options, EXERCISES, (), tmp_path, "", show=False)
    set_rate = training._set_rate
    training._set_rate = lambda progress: (rates.append(progress), set_rate(progress))
    place = training.run()
    assert place.step > 5  # more than one epoch
    assert rates == sorted(rates)
    assert rates[-1] > 0.5
