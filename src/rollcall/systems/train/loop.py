"""Trains any `Trainable`: batches, steps, evaluation, checkpoints.

The order of the examples, the negatives and dropout follow from the seed and the step, and a checkpoint holds
everything else, so a training that was killed ends with the same weights as one that was not, on the same
device. (With a limit of time this cannot hold, since the learning rate then follows the clock.) With several
processes, each computes some examples of every step, and their gradients are summed. The loss stays on the
device, and is read about once a second: each reading waits for everything that the device has to do.
"""

import math
import os
import random
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall._core.files import replacing_part
from rollcall.systems.train.trainable import Trainable, TrainingOptions
from rollcall.systems.train.training_example import TrainingExample

if TYPE_CHECKING:
    import torch


# The learning rate over a training: it rises, then falls, and has always finished falling at the end.
# Progress is the share of the training that is done, by steps or by time, whichever is further. A limit
# of time therefore sets the length of the schedule, and does not cut it off.

Schedule = Literal["linear", "cosine", "constant"]


def factor(progress: float, warmup: float, schedule: Schedule) -> float:
    """The learning rate as a share of its greatest value."""
    progress = min(max(progress, 0.0), 1.0)
    if progress < warmup:
        return progress / warmup
    if schedule == "constant":
        return 1.0
    rest = (progress - warmup) / (1.0 - warmup) if warmup < 1.0 else 1.0
    return 1.0 - rest if schedule == "linear" else 0.5 * (1.0 + math.cos(math.pi * rest))


# The state of an unfinished training, on disk: weights, optimiser, and the place reached. A checkpoint
# is written beside the last one and renamed, so that after a kill at any moment one is whole. It is read
# without running code that it may hold.

STATE, BEST = "state.pt", "best.pt"


class TrainingState(msgspec.Struct):
    """How far a training is, and how it went."""

    made_by: str = ""
    """What decides the result: the system, its options, its base and its training examples."""
    epoch: int = 0
    batch: int = 0
    """The next batch of the epoch."""
    step: int = 0
    tokens: int = 0
    loss: float = 0.0
    """A moving mean."""
    seconds: float = 0.0
    best: float | None = None
    best_step: int = 0
    worse: int = 0
    """Evaluations since the best one."""
    finished: bool = False
    history: list[dict[str, float]] = []
    """The figures of each evaluation, with its step, loss and seconds."""


def save_state(folder: Path, state: TrainingState, network: Any, optimiser: Any) -> None:
    """Write a checkpoint."""
    import torch

    content = {
        "place": msgspec.json.encode(state).decode(),
        "network": network.state_dict(),
        "optimiser": optimiser.state_dict(),
    }
    with replacing_part(folder / STATE) as partial:
        torch.save(content, partial)


def load_state(folder: Path, network: Any, optimiser: Any, made_by: str) -> TrainingState:
    """The state of the last checkpoint, which is loaded; a new state if there is none."""
    file = folder / STATE
    if not file.exists():
        return TrainingState(made_by)
    content = _read(file)
    state = msgspec.json.decode(content["place"], type=TrainingState)
    if state.made_by != made_by:
        raise RollcallError(other_training(folder))
    network.load_state_dict(content["network"])
    optimiser.load_state_dict(content["optimiser"])
    return state


def other_training(folder: Path) -> str:
    """What to say of a folder with an unfinished training that is not this one."""
    return (
        f"{folder}: holds an unfinished training with other options or training examples; "
        "delete it to start again, or give the same options to continue"
    )


def save_best(folder: Path, network: Any) -> None:
    """Keep the weights of the best evaluation."""
    import torch

    with replacing_part(folder / BEST) as partial:
        torch.save(network.state_dict(), partial)


def load_best(folder: Path, network: Any) -> None:
    """The weights of the best evaluation, if there was one."""
    if (folder / BEST).exists():
        network.load_state_dict(_read(folder / BEST))


def _read(file: Path) -> Any:
    import torch

    try:
        return torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:  # of any kind: damaged bytes are met anywhere in the format
        reason = shorten(str(error), 100, placeholder=" …")
        raise RollcallError(f"{file}: is damaged ({reason}); delete it to start again") from None


# The order in which examples are seen: batches of similar length, in an order that a seed decides.
# Examples are shuffled and cut into pools; within a pool they are sorted by size, so that little of a
# batch is padding. The order depends on sizes and seed alone, so a resumed training sees the same
# batches.

_POOL = 50
"""Batches that are sorted by size together."""


def batches(sizes: Sequence[int], batch: int, seed: int) -> list[list[int]]:
    """All examples once, as batches of places; the last batch may be smaller."""
    draw = random.Random(seed)
    order = list(range(len(sizes)))
    draw.shuffle(order)
    result: list[list[int]] = []
    for start in range(0, len(order), batch * _POOL):
        pool = sorted(order[start : start + batch * _POOL], key=lambda index: (sizes[index], index))
        result += [pool[first : first + batch] for first in range(0, len(pool), batch)]
    draw.shuffle(result)
    return result


def parts(sizes: Sequence[int], tokens: int) -> list[list[int]]:
    """A batch cut into parts of at most this number of tokens, padding included; one example always fits."""
    order = sorted(range(len(sizes)), key=lambda index: (-sizes[index], index))
    result: list[list[int]] = []
    for index in order:
        # The first of a part is its longest, and decides the padding of all.
        if result and (len(result[-1]) + 1) * sizes[result[-1][0]] <= tokens:
            result[-1].append(index)
        else:
            result.append([index])
    return result


# One training in several processes, as `accelerate launch` starts them, each with its own GPU. Every
# process computes a share of each step. Whatever is done once (making examples, evaluating, writing) is
# done by the first one. A plain start is one process, which is the first.

_PATIENCE = timedelta(days=30)
"""How long a process waits for the others; the launcher ends all of them if one fails."""

Shared = TypeVar("Shared")


def _are_several() -> bool:
    return int(os.environ.get("WORLD_SIZE") or 1) > 1


def is_first() -> bool:
    """Whether this process does what is done once; known without loading anything."""
    return not _are_several() or os.environ.get("RANK", "0") == "0"


def wait_for_all() -> None:
    """Wait until all processes are here; a single one returns at once, and loads nothing."""
    if _are_several():
        Processes().wait()


class Processes:
    """All processes of this training."""

    def __init__(self) -> None:
        from accelerate import PartialState
        from accelerate.utils import parse_flag_from_env

        self._state: Any = PartialState(cpu=parse_flag_from_env("ACCELERATE_USE_CPU"), timeout=_PATIENCE)
        self.number: int = self._state.num_processes
        self.rank: int = self._state.process_index
        self.device: torch.device = self._state.device
        self.first: bool = self.rank == 0

    def wait(self) -> None:
        """Wait until all processes are here."""
        self._state.wait_for_everyone()

    def share(self, value: Shared) -> Shared:
        """The first process's value, in every process."""
        if self.number == 1:
            return value
        from accelerate.utils import broadcast_object_list

        values: list[Shared] = broadcast_object_list([value])
        return values[0]

    def add(self, tensors: "Sequence[torch.Tensor]") -> "list[torch.Tensor]":
        """The sums of tensors over all processes, by one exchange."""
        import torch

        flat = torch.cat([tensor.flatten() for tensor in tensors])
        torch.distributed.all_reduce(flat)
        pieces = flat.split([tensor.numel() for tensor in tensors])
        return [piece.view_as(tensor) for piece, tensor in zip(pieces, tensors, strict=True)]


_SMOOTHING = 0.95
_READING = 1.0
"""Seconds between two readings of the loss."""


class Training:
    """One training: what is trained, on what, and where its state is kept."""

    def __init__(
        self,
        system: Trainable[Any],
        options: TrainingOptions,
        examples: Sequence[TrainingExample],
        dev: Sequence[TrainingExample],
        folder: Path,
        made_by: str,
        show: bool | None = None,
    ) -> None:
        """`folder` is for checkpoints; `made_by` is a hash of everything that decides the result."""
        import torch

        self.system, self.options, self.examples, self.dev = system, options, examples, dev
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

    def run(self) -> TrainingState:
        """Train to the end, from the last checkpoint if there is one; the best weights are then loaded."""
        state = load_state(self.folder, self.system.network, self._optimiser, self.made_by)
        if state.step:
            self._loss = self._torch.tensor(state.loss, device=self._processes.device)
        try:
            if not state.finished:
                self._train(state)
        except self._torch.OutOfMemoryError:
            raise RollcallError(
                f"out of memory with {self.options.tokens} tokens at once: give --option "
                f"tokens={max(self.options.tokens // 2, 1)}, or --option checkpointing=true; "
                "the training continues from its last checkpoint"
            ) from None
        if self._processes.first:  # the others compute nothing more
            load_best(self.folder, self.system.network)
        self.system.network.eval()
        return state

    def _train(self, state: TrainingState) -> None:
        options = self.options
        total, saved, read = 0, state.seconds, 0.0
        with Progress(f"training {type(self.system).__name__}", 1.0, show=self._show) as bar:
            shown = 0.0
            while not state.finished:
                items = self.system.encode_examples(self.examples, _seed(options.seed, state.epoch))
                if not items:
                    raise RollcallError(
                        "nothing can be learned from the training examples: no passage proves an answer"
                    )
                sizes = [self.system.size(item) for item in items]
                order = batches(sizes, options.batch, _seed(options.seed, state.epoch))
                total = total or options.steps or options.epochs * len(order)
                for number in range(state.batch, len(order)):
                    began = time.monotonic()
                    self._set_rate(self._progress(state, total))
                    self._note(self.step([items[index] for index in order[number]], state.step))
                    state.batch, state.step = number + 1, state.step + 1
                    state.tokens += sum(sizes[index] for index in order[number])
                    if state.seconds - read >= _READING:
                        self._read_loss(state)
                        read = state.seconds
                    state.seconds += self._agreed(time.monotonic() - began)
                    ended = self._progress(state, total) >= 1.0
                    if ended or (options.evaluate and state.step % options.evaluate == 0):
                        ended = self._evaluate(state) or ended
                    state.finished = ended
                    progress = self._progress(state, total)
                    bar.advance(progress - shown, _remark(state))
                    shown = progress
                    if ended:
                        break
                    if state.seconds - saved >= options.save:
                        self._save(state)
                        saved = state.seconds
                if not state.finished:
                    state.epoch, state.batch = state.epoch + 1, 0
                    state.finished = not options.evaluate and self._evaluate(state)
                self._save(state)

    def step(self, items: list[Any], number: int = 0) -> "torch.Tensor":
        """One step of the optimiser; returns the loss. Its number decides the random numbers."""
        torch, network, processes = self._torch, self.system.network, self._processes
        network.train()
        torch.manual_seed(_seed(_seed(self.options.seed, number), processes.rank))
        with self._precision():
            loss = self.system.backward(items, self._own_parts(items))
        if processes.number > 1:
            loss = self._add_gradients(loss)
        weights = [weight for weight in network.parameters() if weight.grad is not None]
        torch.nn.utils.clip_grad_norm_(weights, self.options.clip)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        return loss

    def _own_parts(self, items: Sequence[Any]) -> list[list[int]]:
        """The examples that this process computes, in parts that fit into memory; long ones are dealt out."""
        sizes = [self.system.size(item) for item in items]
        order = sorted(range(len(sizes)), key=lambda index: (-sizes[index], index))
        own = order[self._processes.rank :: self._processes.number]
        cut = parts([sizes[index] for index in own], self.options.tokens)
        return [[own[index] for index in part] for part in cut]

    def _add_gradients(self, loss: "torch.Tensor") -> "torch.Tensor":
        """Give every process the sum of all gradients; returns that of all losses."""
        torch = self._torch
        weights = [weight for weight in self.system.network.parameters() if weight.requires_grad]
        if self._learned is None:
            (number,) = self._processes.add(
                [torch.tensor([weight.grad is not None for weight in weights], device=loss.device).float()]
            )
            self._learned = (number > 0).tolist()
        learned = [weight for weight, used in zip(weights, self._learned, strict=True) if used]
        grads = [weight.grad if weight.grad is not None else torch.zeros_like(weight) for weight in learned]
        loss, *sums = self._processes.add([loss, *grads])
        for weight, grad in zip(learned, sums, strict=True):
            weight.grad = grad
        return loss

    def _note(self, loss: "torch.Tensor") -> None:
        self._loss = loss if self._loss is None else self._loss.lerp(loss, 1 - _SMOOTHING)

    def _read_loss(self, state: TrainingState) -> None:
        """Wait for the loss; if it is not a number, the weights are ruined and are not kept."""
        assert self._loss is not None
        state.loss = float(self._loss)
        if not math.isfinite(state.loss):
            raise RollcallError(
                f"the loss is {state.loss}; give a smaller learning_rate, or --option precision=fp32"
            )

    def _evaluate(self, state: TrainingState) -> bool:
        """Evaluate, and keep the best weights; whether to stop early."""
        self._read_loss(state)
        figures: dict[str, float] = {}
        if self.dev:
            figures = self._processes.share(self._figures() if self._processes.first else {})
            value = figures[self.system.measure]
            if state.best is None or value > state.best:
                state.best, state.best_step, state.worse = value, state.step, 0
                if self._processes.first:
                    save_best(self.folder, self.system.network)
            else:
                state.worse += 1
        done = {"step": float(state.step), "loss": state.loss, "seconds": state.seconds}
        state.history.append({**done, "tokens": float(state.tokens), **figures})
        return bool(self.options.patience) and state.worse >= self.options.patience

    def _figures(self) -> dict[str, float]:
        self.system.network.eval()
        with self._torch.inference_mode(), self._precision():
            return self.system.evaluate(self.dev)

    def _save(self, state: TrainingState) -> None:
        self._read_loss(state)
        if self._processes.first:
            save_state(self.folder, state, self.system.network, self._optimiser)

    def _precision(self) -> "torch.autocast":
        return self._torch.autocast(self._processes.device.type, self._torch.bfloat16, enabled=self._bf16)

    def _agreed(self, seconds: float) -> float:
        """Clocks differ, and where they decide, all processes must stop at the same step."""
        return self._processes.share(seconds) if self.options.minutes else seconds

    def _progress(self, state: TrainingState, total: int) -> float:
        """The share of the training that is done, by steps or by time."""
        by_time = state.seconds / (60.0 * self.options.minutes) if self.options.minutes else 0.0
        # A limit of time alone has no end by epochs.
        by_steps = 0.0 if self.options.minutes and not self.options.steps else state.step / total
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
    trained = [weight for weight in network.parameters() if weight.requires_grad]
    return [
        {"params": [weight for weight in trained if weight.ndim > 1], "weight_decay": options.weight_decay},
        {"params": [weight for weight in trained if weight.ndim <= 1], "weight_decay": 0.0},
    ]


def _in_bf16(options: TrainingOptions, torch: Any) -> bool:
    if options.precision == "auto":
        return torch.cuda.is_available() and bool(torch.cuda.is_bf16_supported())
    return options.precision == "bf16"


def _seed(seed: int, number: int) -> int:
    return (seed * 100_003 + number) % (1 << 63)


def _remark(state: TrainingState) -> str:
    speed = state.tokens / state.seconds if state.seconds else 0.0
    best = "" if state.best is None else f" · best {state.best:.3f}"
    return f"step {state.step} · loss {state.loss:.4f} · {speed:,.0f} tokens/s{best}"
