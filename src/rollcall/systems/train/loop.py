"""Trains any `Trainable`: batches, steps, evaluation, checkpoints.

The order of the examples, the negatives and dropout follow from the seed and the step, and a checkpoint holds
everything else, so a training that was killed ends with the same weights as one that was not, on the same
device. (With a limit of time this cannot hold, since the learning rate then follows the clock.) With several
processes, each computes some examples of every step, and their gradients are summed. The loss stays on the
device, and is read about once a second: each reading waits for everything that the device has to do.
"""

import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcall.errors import RollcallError
from rollcall.progress import Progress
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.options import TrainingOptions
from rollcall.systems.train.order import batches, parts
from rollcall.systems.train.processes import Processes
from rollcall.systems.train.schedule import factor
from rollcall.systems.train.state import Place, load_best, load_state, save_best, save_state
from rollcall.systems.train.trainable import Trainable

if TYPE_CHECKING:
    import torch

_SMOOTHING = 0.95
_READING = 1.0
"""Seconds between two readings of the loss."""


class Training:
    """One training: what is trained, on what, and where its state is kept."""

    def __init__(
        self,
        system: Trainable[Any],
        options: TrainingOptions,
        exercises: Sequence[Exercise],
        dev: Sequence[Exercise],
        folder: Path,
        made_by: str,
        show: bool | None = None,
    ) -> None:
        """`folder` is for checkpoints; `made_by` is a hash of everything that decides the result."""
        import torch

        self.system, self.options, self.exercises, self.dev = system, options, exercises, dev
        self.folder, self.made_by = folder, made_by
        self._processes = Processes()
        self._show = show if self._processes.first else False
        self._torch = torch
        self._bf16 = _in_bf16(options, torch)
        if options.checkpointing:
            _compute_activations_again(system.network)
        device = self._processes.device
        system.network.to(device)
        self._optimiser = torch.optim.AdamW(
            _groups(system.network, options), lr=options.learning_rate, fused=device.type == "cuda"
        )
        self._loss: torch.Tensor | None = None
        """A moving mean."""
        self._learned: list[bool] | None = None
        """Which weights have gradients, in any process."""

    def run(self) -> Place:
        """Train to the end, from the last checkpoint if there is one; the best weights are then loaded."""
        place = load_state(self.folder, self.system.network, self._optimiser, self.made_by)
        if place.step:
            self._loss = self._torch.tensor(place.loss, device=self._processes.device)
        try:
            if not place.finished:
                self._train(place)
        except self._torch.OutOfMemoryError:
            raise RollcallError(
                f"out of memory with {self.options.tokens} tokens at once: give --option "
                f"tokens={max(self.options.tokens // 2, 1)}, or --option checkpointing=true; "
                "the training continues from its last checkpoint"
            ) from None
        if self._processes.first:  # the others compute nothing more
            load_best(self.folder, self.system.network)
        self.system.network.eval()
        return place

    def _train(self, place: Place) -> None:
        options = self.options
        total, saved, read = 0, place.seconds, 0.0
        with Progress(f"training {type(self.system).__name__}", 1.0, show=self._show) as bar:
            shown = 0.0
            while not place.finished:
                examples = self.system.examples(self.exercises, _seed(options.seed, place.epoch))
                if not examples:
                    raise RollcallError(
                        "no example can be made of the exercises: no passage proves an answer"
                    )
                sizes = [self.system.size(example) for example in examples]
                order = batches(sizes, options.batch, _seed(options.seed, place.epoch))
                total = total or options.steps or options.epochs * len(order)
                for number in range(place.batch, len(order)):
                    began = time.monotonic()
                    self._set_rate(self._progress(place, total))
                    self._note(self.step([examples[one] for one in order[number]], place.step))
                    place.batch, place.step = number + 1, place.step + 1
                    place.tokens += sum(sizes[one] for one in order[number])
                    if place.seconds - read >= _READING:
                        self._read_loss(place)
                        read = place.seconds
                    place.seconds += self._agreed(time.monotonic() - began)
                    ended = self._progress(place, total) >= 1.0
                    if ended or (options.evaluate and place.step % options.evaluate == 0):
                        ended = self._evaluate(place) or ended
                    place.finished = ended
                    progress = self._progress(place, total)
                    bar.advance(progress - shown, _remark(place))
                    shown = progress
                    if ended:
                        break
                    if place.seconds - saved >= options.save:
                        self._save(place)
                        saved = place.seconds
                if not place.finished:
                    place.epoch, place.batch = place.epoch + 1, 0
                    place.finished = not options.evaluate and self._evaluate(place)
                self._save(place)

    def step(self, examples: list[Any], number: int = 0) -> "torch.Tensor":
        """One step of the optimiser; returns the loss. Its number decides the random numbers."""
        torch, network, processes = self._torch, self.system.network, self._processes
        network.train()
        torch.manual_seed(_seed(_seed(self.options.seed, number), processes.place))
        with self._precision():
            loss = self.system.backward(examples, self._own_parts(examples))
        if processes.number > 1:
            loss = self._add_gradients(loss)
        weights = [one for one in network.parameters() if one.grad is not None]
        torch.nn.utils.clip_grad_norm_(weights, self.options.clip)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        return loss

    def _own_parts(self, examples: Sequence[Any]) -> list[list[int]]:
        """The examples that this process computes, in parts that fit into memory; long ones are dealt out."""
        sizes = [self.system.size(one) for one in examples]
        order = sorted(range(len(sizes)), key=lambda place: (-sizes[place], place))
        own = order[self._processes.place :: self._processes.number]
        cut = parts([sizes[place] for place in own], self.options.tokens)
        return [[own[place] for place in part] for part in cut]

    def _add_gradients(self, loss: "torch.Tensor") -> "torch.Tensor":
        """Give every process the sum of all gradients; returns that of all losses."""
        torch = self._torch
        weights = [one for one in self.system.network.parameters() if one.requires_grad]
        if self._learned is None:
            (number,) = self._processes.add(
                [torch.tensor([one.grad is not None for one in weights], device=loss.device).float()]
            )
            self._learned = (number > 0).tolist()
        learned = [one for one, used in zip(weights, self._learned, strict=True) if used]
        grads = [one.grad if one.grad is not None else torch.zeros_like(one) for one in learned]
        loss, *sums = self._processes.add([loss, *grads])
        for one, grad in zip(learned, sums, strict=True):
            one.grad = grad
        return loss

    def _note(self, loss: "torch.Tensor") -> None:
        self._loss = loss if self._loss is None else self._loss.lerp(loss, 1 - _SMOOTHING)

    def _read_loss(self, place: Place) -> None:
        """Wait for the loss; one that is no number has ruined the weights, which are then not kept."""
        assert self._loss is not None
        place.loss = float(self._loss)
        if not math.isfinite(place.loss):
            raise RollcallError(
                f"the loss is {place.loss}; give a smaller learning_rate, or --option precision=fp32"
            )

    def _evaluate(self, place: Place) -> bool:
        """Evaluate, and keep the best weights; whether to stop early."""
        self._read_loss(place)
        figures: dict[str, float] = {}
        if self.dev:
            figures = self._processes.share(self._figures() if self._processes.first else {})
            value = figures[self.system.measure]
            if place.best is None or value > place.best:
                place.best, place.best_step, place.worse = value, place.step, 0
                if self._processes.first:
                    save_best(self.folder, self.system.network)
            else:
                place.worse += 1
        done = {"step": float(place.step), "loss": place.loss, "seconds": place.seconds}
        place.history.append({**done, "tokens": float(place.tokens), **figures})
        return bool(self.options.patience) and place.worse >= self.options.patience

    def _figures(self) -> dict[str, float]:
        self.system.network.eval()
        with self._torch.inference_mode(), self._precision():
            return self.system.evaluate(self.dev)

    def _save(self, place: Place) -> None:
        self._read_loss(place)
        if self._processes.first:
            save_state(self.folder, place, self.system.network, self._optimiser)

    def _precision(self) -> "torch.autocast":
        return self._torch.autocast(self._processes.device.type, self._torch.bfloat16, enabled=self._bf16)

    def _agreed(self, seconds: float) -> float:
        """Clocks differ, and where they decide, all processes must stop at the same step."""
        return self._processes.share(seconds) if self.options.minutes else seconds

    def _progress(self, place: Place, total: int) -> float:
        """The share of the training that is done, by steps or by time."""
        by_time = place.seconds / (60.0 * self.options.minutes) if self.options.minutes else 0.0
        # A limit of time alone has no end by epochs.
        by_steps = 0.0 if self.options.minutes and not self.options.steps else place.step / total
        return max(by_time, by_steps)

    def _set_rate(self, progress: float) -> None:
        rate = self.options.learning_rate * factor(progress, self.options.warmup, self.options.schedule)
        for group in self._optimiser.param_groups:
            group["lr"] = rate


def _compute_activations_again(network: Any) -> None:
    """Keep no activations for the backward pass, in every part of a network that can do without."""
    for module in network.modules():
        if hasattr(module, "gradient_checkpointing_enable"):
            module.gradient_checkpointing_enable()


def _groups(network: Any, options: TrainingOptions) -> list[dict[str, Any]]:
    """Weights with and without decay: biases and norms, which are vectors, have none."""
    trained = [one for one in network.parameters() if one.requires_grad]
    return [
        {"params": [one for one in trained if one.ndim > 1], "weight_decay": options.weight_decay},
        {"params": [one for one in trained if one.ndim <= 1], "weight_decay": 0.0},
    ]


def _in_bf16(options: TrainingOptions, torch: Any) -> bool:
    if options.precision == "auto":
        return torch.cuda.is_available() and bool(torch.cuda.is_bf16_supported())
    return options.precision == "bf16"


def _seed(seed: int, number: int) -> int:
    return (seed * 100_003 + number) % (1 << 63)


def _remark(place: Place) -> str:
    speed = place.tokens / place.seconds if place.seconds else 0.0
    best = "" if place.best is None else f" · best {place.best:.3f}"
    return f"step {place.step} · loss {place.loss:.4f} · {speed:,.0f} tokens/s{best}"
