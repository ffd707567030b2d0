"""How fast systems learn and read passages, and what share of a GPU's peak that is.

    python benchmarks/bench_reading.py --peak-tflops 989 --seconds 80 --profile
    python benchmarks/bench_reading.py --model CHECKPOINT --systems pig

Without a checkpoint the weights are random, in the shapes of SmolLM2-135M and MiniLM-L6. Passages are random
words; their lengths are spread evenly around `--length`. Time to compile and to tokenise is not counted.
Model FLOPs are 2 × weights without embeddings × tokens, and those of attention; three times that for
training. Padding counts as nothing. With a limit of time, what does not fit is left out.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import torch
import transformers

from rollcall.questions.record import Answer
from rollcall.systems.read.linking import LinkedMention
from rollcall.systems.train.base import Base, load_base
from rollcall.systems.train.candidate_scorer import CandidateScorer
from rollcall.systems.train.compiling import compile_layers, uncompiled
from rollcall.systems.train.dpr.encoders import Encoders
from rollcall.systems.train.dpr.options import DprOptions
from rollcall.systems.train.dpr.system import Dpr
from rollcall.systems.train.exercise import Exercise, LabelledPassage
from rollcall.systems.train.extractive import Extractive
from rollcall.systems.train.generate.by_kind import open_generator
from rollcall.systems.train.generate.generator import Generator, GeneratorExample, Prompt
from rollcall.systems.train.generate.joined import join_projections
from rollcall.systems.train.loop import Training
from rollcall.systems.train.mention_scorer import MentionScorer
from rollcall.systems.train.options import TrainingOptions
from rollcall.systems.train.order import batches, parts
from rollcall.systems.train.passage_tokens import readings_of
from rollcall.systems.train.pig import Pig
from rollcall.systems.train.span_network import SpanReading
from rollcall.systems.train.trainable import Trainable

SYSTEMS = ("pig", "mention-scorer", "candidate-scorer", "extractive", "dpr")
SMOLLM2 = {
    "hidden_size": 576,
    "num_hidden_layers": 30,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "intermediate_size": 1536,
    "rope_theta": 100_000.0,
    "tie_word_embeddings": True,
    "max_position_embeddings": 8192,
}
MINILM = {
    "hidden_size": 384,
    "num_hidden_layers": 6,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "max_position_embeddings": 512,
}
TINY = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
WORDS = [f"word{number}" for number in range(5000)]


class Timing(NamedTuple):
    """One thing that is timed."""

    what: str
    work: Callable[[], object]
    network: Any
    passages: int
    passes: int
    """3 for training, whose backward pass counts twice; 1 otherwise."""


class Bench:
    """Times work within a limit, and prints each figure at once."""

    def __init__(self, given: argparse.Namespace, device: torch.device) -> None:
        self._began, self._given, self._device = time.monotonic(), given, device
        self.best: tuple[float, Timing] | None = None

    @property
    def over(self) -> bool:
        return time.monotonic() - self._began > self._given.seconds

    def measure(self, timing: Timing) -> None:
        if self.over:
            print(f"{timing.what:<52} left out: no time", flush=True)
            return
        try:
            began = time.monotonic()
            lengths = lengths_read(timing.network, timing.work)
            for _ in range(2):
                timing.work()
            self._wait()
            ready = time.monotonic() - began
            seconds = self._timed(timing.work)
        except (RuntimeError, ValueError) as error:  # one setting that fails leaves the others
            print(f"{timing.what:<52} failed: {' '.join(str(error).split())[:300]}", flush=True)
            return
        computed = timing.passes * flops(timing.network.config, weights_of(timing.network), lengths)
        peak = self._given.peak_tflops
        share = f"{computed / seconds / peak / 1e12:8.1%} of the peak" if peak else ""
        print(
            f"{timing.what:<52}{timing.passages / seconds:11,.0f} passages/s"
            f"{sum(lengths) / seconds:13,.0f} tokens/s{computed / seconds / 1e12:9.2f} TFLOP/s{share}"
            f"   ({ready:.0f} s before)",
            flush=True,
        )
        if self.best is None or computed / seconds > self.best[0]:
            self.best = (computed / seconds, timing)

    def profile(self, timing: Timing) -> None:
        """The kernels that take most of the time."""
        activity = torch.profiler.ProfilerActivity
        kind = activity.CUDA if self._device.type == "cuda" else activity.CPU
        with torch.profiler.profile(activities=[kind]) as found:
            timing.work()
            self._wait()
        there = (
            torch.autograd.DeviceType.CUDA if self._device.type == "cuda" else torch.autograd.DeviceType.CPU
        )
        rows = [
            (one.self_device_time_total or one.self_cpu_time_total, one)
            for one in found.key_averages()
            if one.device_type == there
        ]
        total = sum(spent for spent, _ in rows)
        print(f"{timing.what}: {total / 1e3:.1f} ms in kernels, of which")
        for spent, one in sorted(rows, key=lambda row: -row[0])[:10]:
            print(f"  {spent / total:6.1%}{spent / 1e3:10.2f} ms  ×{one.count:<6}{one.key[:100]}", flush=True)

    def _timed(self, work: Callable[[], object]) -> float:
        """Seconds of one run: the median."""
        found = []
        for _ in range(self._given.repeats):
            began = time.perf_counter()
            work()
            self._wait()
            found.append(time.perf_counter() - began)
        return sorted(found)[len(found) // 2]

    def _wait(self) -> None:
        if self._device.type == "cuda":
            torch.cuda.synchronize()


def lengths_read(network: Any, work: Callable[[], object]) -> list[int]:
    """The lengths of all sequences that a network reads while something is computed."""
    found: list[int] = []

    def note(_module: object, _given: object, named: dict[str, Any]) -> None:
        if named.get("cu_seq_lens_q") is not None:
            found.extend(named["cu_seq_lens_q"].diff().tolist())
        elif named.get("attention_mask") is not None and named["attention_mask"].ndim == 2:
            found.extend(named["attention_mask"].sum(1).tolist())

    hook = network.register_forward_pre_hook(note, with_kwargs=True)
    try:
        work()
    finally:
        hook.remove()
    return found


def weights_of(network: Any) -> int:
    """The weights that every token meets: none of the embeddings."""
    skipped = {id(one.weight) for one in network.modules() if isinstance(one, torch.nn.Embedding)}
    output = network.get_output_embeddings() if hasattr(network, "lm_head") else None
    if output is not None:
        skipped.add(id(output.weight))
    return sum(one.numel() for one in network.parameters() if id(one) not in skipped)


def flops(config: Any, weights: int, lengths: Sequence[int]) -> float:
    """Model FLOPs of one pass over sequences of these lengths."""
    width = config.hidden_size
    seen = 2 if config.model_type == "llama" else 4  # a causal model attends to one half
    attention: float = seen * width * config.num_hidden_layers * sum(one * one for one in lengths)
    return 2.0 * weights * sum(lengths) + attention


def word_tokeniser() -> Any:
    """A tokeniser for which each of our words is one token."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    vocabulary = {word: number for number, word in enumerate([*special.values(), "[END]", *WORDS])}
    tokeniser = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106
    tokeniser.pre_tokenizer = pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokeniser, eos_token="[END]", **special)  # noqa: S106


def random_base(kind: str, tiny: bool, device: torch.device) -> Base:
    """A network of a known shape with random weights."""
    torch.manual_seed(0)
    tokeniser = word_tokeniser()
    with device:  # random numbers are drawn much faster there
        if kind == "causal":
            shape = {**TINY, "num_key_value_heads": 2} if tiny else SMOLLM2
            vocabulary = len(tokeniser) if tiny else 49152
            llama = transformers.LlamaConfig(**shape, vocab_size=vocabulary)
            return Base("random", "causal", transformers.LlamaForCausalLM(llama), tokeniser)
        bert = transformers.BertConfig(**(TINY if tiny else MINILM), vocab_size=30522)
        return Base("random", "encoder", transformers.BertModel(bert), tokeniser)


def exercises(number: int, length: int, each: int = 24) -> list[Exercise]:
    """Questions with passages of random words, one of which proves an answer; eight words each are linked."""
    draw = random.Random(7)

    def passage(question: int, place: int) -> LabelledPassage:
        words = draw.choices(WORDS, k=max(draw.randint(length // 2, length * 3 // 2) - 15, 8))
        answer = f"word{question}"
        words = [
            answer if place == 0 and at == 3 else "word4999" if one == answer else one
            for at, one in enumerate(words)
        ]
        starts = [
            sum(len(one) + 1 for one in words[:at]) for at in range(0, len(words), max(len(words) // 8, 1))
        ]
        text = " ".join(words)
        linked = [
            LinkedMention(start, start + len(word), "text", (f"Q{word}",))
            for start in starts
            if (word := text[start:].split(" ", 1)[0])
        ]
        proves = {0: 1.0} if place == 0 else {}
        return LabelledPassage(f"{question}-{place}", WORDS[question], text, 1.0, proves, [*proves], linked)

    return [
        Exercise(
            str(one),
            " ".join(draw.choices(WORDS, k=10)),
            answers=[Answer(f"word{one}", id=f"Qword{one}")],
            passages=[passage(one, place) for place in range(each)],
        )
        for one in range(number)
    ]


@contextmanager
def training(
    system: Trainable[Any], options: TrainingOptions, learned: Sequence[Exercise]
) -> Iterator[Callable[[], object]]:
    """One epoch's steps of a training."""
    with tempfile.TemporaryDirectory() as folder:
        trainer = Training(system, options, learned, (), Path(folder), "", show=False)
        examples = system.examples(learned, 0)
        order = batches([system.size(one) for one in examples], options.batch, 0)
        whole = [one for one in order if len(one) == options.batch] or order

        def work() -> None:
            for batch in whole[:8]:
                trainer.step([examples[one] for one in batch])

        yield work


def prompts(tokeniser: Any, number: int, length: int) -> list[Prompt]:
    draw = random.Random(7)
    words = min(len(tokeniser), 30_000)
    return [
        Prompt([[draw.randrange(5, words) for _ in range(draw.randint(length // 2, length * 3 // 2))]])
        for _ in range(number)
    ]


def pig(bench: Bench, given: argparse.Namespace, device: torch.device) -> None:
    base = (
        load_base(given.model, ("causal", "encoder-decoder"), "this benchmark")
        if given.model
        else random_base("causal", given.tiny, device)
    )
    generator = open_generator(base)
    network = generator.network.to(device)
    every = prompts(generator.tokeniser, given.passages, given.length)
    some = every[: max(len(every) // 8, 1)]

    def scoring(name: str, tokens: int) -> Timing:
        return Timing(
            f"pig scoring, {tokens} tokens at once{name}",
            lambda: generator.end_chances(every, tokens),
            network,
            len(every),
            1,
        )

    if "training" in given.phases:
        pig_training(bench, given, generator, every, base)
    bench.best = None  # the best of scoring is looked at
    join_projections(network)
    network.eval().to(torch.bfloat16 if device.type == "cuda" else torch.float32)
    if "reading" in given.phases:
        sizes = [int(one) for one in given.tokens.split(",")]
        for mode in [] if given.plain else given.modes.split(","):
            compile_layers(network, None if mode == "default" else mode)
            for tokens in sizes:
                bench.measure(scoring(f", {mode}", tokens))
        if given.profile and bench.best is not None:
            bench.profile(bench.best[1])
        with uncompiled():
            bench.measure(scoring("", sizes[0]))
    if "writing" in given.phases:
        what = f"pig writing, {given.written} tokens each"
        bench.measure(
            Timing(
                what,
                lambda: generator.write(some, given.written, 65536, nonempty=True),
                network,
                len(some),
                1,
            )
        )


def pig_training(
    bench: Bench, given: argparse.Namespace, generator: Generator, every: list[Prompt], base: Base
) -> None:
    if not given.plain:
        compile_layers(generator.network)
    options = Pig.Options(batch=given.batch, tokens=given.training_tokens)
    system = Pig(options, base._replace(network=generator.network))
    target = generator.targets.encode([WORDS[1], f"{WORDS[2]} {WORDS[3]}"], 30)
    examples = [GeneratorExample(prompt, target) for prompt in every[: given.batch * 4]]
    with tempfile.TemporaryDirectory() as folder:
        trainer = Training(system, options, (), (), Path(folder), "", show=False)

        def work() -> None:
            for start in range(0, len(examples), given.batch):
                trainer.step(examples[start : start + given.batch])

        what = f"pig training, {given.batch} passages a step"
        bench.measure(Timing(what, work, generator.network, len(examples), 3))


def encoder(bench: Bench, given: argparse.Namespace, name: str, device: torch.device) -> None:
    """A system on an encoder: training, then reading."""
    times = 8 if name == "candidate-scorer" else 1  # it reads a passage for each candidate
    learned = exercises(max(given.passages // 24 // times, 2), given.length)
    base = random_base("encoder", given.tiny, device)
    few = {"extractive": 24, "dpr": 2}.get(name, 1)
    options: Any = {"batch": max(given.batch // few, 2), "tokens": given.training_tokens, "length": 384}
    kind: Any = {
        "mention-scorer": MentionScorer,
        "candidate-scorer": CandidateScorer,
        "extractive": Extractive,
        "dpr": Dpr,
    }[name]
    chosen = kind.Options(**options, **({"negatives": 1} if name == "dpr" else {}))
    system = kind.start(chosen, base)
    if "training" in given.phases:
        with training(system, chosen, learned) as work:
            count = len(lengths_read(base.network, work))
            what = f"{name} training, {given.batch} passages a step"
            bench.measure(Timing(what, work, base.network, count, 3))
    system.network.to(device).eval()
    if device.type == "cuda":
        system.network.to(torch.bfloat16)
    if "reading" in given.phases:
        work = reading(name, system, base, learned)
        with torch.inference_mode():
            count = len(lengths_read(base.network, work))
            bench.measure(Timing(f"{name} reading", work, base.network, count, 1))


def reading(name: str, system: Any, base: Base, learned: Sequence[Exercise]) -> Callable[[], object]:
    """What a system computes for all passages of exercises."""
    readings = readings_of(learned)
    if name == "dpr":
        texts = base.tokeniser([one.text for one in readings], truncation=True, max_length=256)["input_ids"]
        encoders = Encoders([base.network], base.tokeniser.pad_token_id, DprOptions())
        cut = parts([len(one) for one in texts], 1 << 18)
        return lambda: [encoders.encode("passage", [texts[one] for one in part]) for part in cut]
    if name == "extractive":
        spans = [SpanReading(one.question, one.title, one.text) for one in readings]
        return lambda: system._encoder.scores(spans, 10)
    return lambda: system.scores(readings)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", help="a checkpoint by name or path, for pig")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="which systems, in this order")
    parser.add_argument("--phases", default="training,reading,writing", help="which of these")
    parser.add_argument("--passages", type=int, default=4096)
    parser.add_argument("--length", type=int, default=200, help="the mean number of tokens of a passage")
    parser.add_argument("--tokens", default="65536,131072,262144", help="tokens computed at once, in scoring")
    parser.add_argument(
        "--training-tokens", type=int, default=131072, help="tokens computed at once in training"
    )
    parser.add_argument("--batch", type=int, default=512, help="passages of a step of training")
    parser.add_argument("--written", type=int, default=16, help="tokens written for each passage")
    parser.add_argument(
        "--peak-tflops", type=float, help="the device's peak in bf16, such as 989 for an H200"
    )
    parser.add_argument(
        "--modes", default="default", help="of torch.compile, such as default,max-autotune-no-cudagraphs"
    )
    parser.add_argument("--plain", action="store_true", help="compile nothing; so it is without a GPU")
    parser.add_argument("--profile", action="store_true", help="print the kernels of the best setting")
    parser.add_argument("--seconds", type=float, default=1e9, help="start nothing new after this time")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--tiny", action="store_true", help="a tiny shape, to try this script")
    given = parser.parse_args()
    given.plain |= not torch.cuda.is_available()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    bench = Bench(given, device)
    for name in given.systems.split(","):
        if name == "pig":
            pig(bench, given, device)
        else:
            encoder(bench, given, name, device)


if __name__ == "__main__":
    main()
