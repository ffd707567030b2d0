"""Judging by a language model, for profiles whose published scorer asks one."""

import hashlib
import math
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import msgspec

from rollcall._core.errors import RollcallError, complete_types
from rollcall.questions.record import Answer, Question
from rollcall.score.match import Match, Resolution, name_key
from rollcall.score.options import GoldSetting
from rollcall.score.pairing import Pairs, answer_sets, predicted
from rollcall.score.profile import Predicted, Profile, texts

if TYPE_CHECKING:
    from rollcall.llm.client import Client
    from rollcall.llm.server import Request


# How far two scorings of the same responses agree: verdict by verdict on gold answers, and in F1.
# Answers are aligned by name, because a judge may write down the expected answers in its own way; those
# that only one of the two has are not compared. Cohen's kappa says how much of the agreement is not
# chance.


class JudgeVerdicts(NamedTuple):
    """The resolution and the figures of each pair, under one profile."""

    resolutions: list[Resolution]
    matches: list[Match]


class JudgeAgreement(NamedTuple):
    """Two scorings compared, over what both have judged."""

    answers: int
    same: float | None
    """The share of gold answers with the same verdict; None if there are none to compare."""
    kappa: float | None
    """Cohen's kappa; None if it is not defined, as where all verdicts are the same."""
    questions: int
    distance: float | None
    """The mean absolute difference of F1."""


def verdicts(pairs: Pairs, profile: Profile, setting: GoldSetting) -> JudgeVerdicts:
    """Every pair resolved with the answer set that fits best."""
    resolutions, matches = [], []
    for question, prediction in pairs:
        predictions = predicted(prediction)
        tried = [profile.resolve(question, gold, predictions) for gold in answer_sets(question, setting)]
        rated = [profile.rate(resolution) for resolution in tried]
        best = max(range(len(tried)), key=lambda index: (rated[index].f1, rated[index].recall))
        resolutions.append(tried[best])
        matches.append(rated[best])
    return JudgeVerdicts(resolutions, matches)


def agreement(first: JudgeVerdicts, second: JudgeVerdicts) -> JudgeAgreement:
    """How far two scorings agree."""
    both = [
        index
        for index, (match, other) in enumerate(zip(first.matches, second.matches, strict=True))
        if match.judged and other.judged
    ]
    decided = [
        pair for index in both for pair in _aligned(first.resolutions[index], second.resolutions[index])
    ]
    apart = [abs(first.matches[index].f1 - second.matches[index].f1) for index in both]
    return JudgeAgreement(
        answers=len(decided),
        same=_mean(float(verdict == other) for verdict, other in decided),
        kappa=cohen_kappa(decided),
        questions=len(both),
        distance=_mean(apart),
    )


def cohen_kappa(decided: Sequence[tuple[bool, bool]]) -> float | None:
    """Agreement beyond chance of two yes-or-no judgements; None if chance alone explains everything.

    >>> cohen_kappa([(True, True), (False, False), (True, False), (False, False)])
    0.5
    """
    if not decided:
        return None
    total = len(decided)
    same = sum(verdict == other for verdict, other in decided) / total
    first, second = (sum(pair[side] for pair in decided) / total for side in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    return None if chance == 1 else (same - chance) / (1 - chance)


def _aligned(resolution: Resolution, other: Resolution) -> list[tuple[bool, bool]]:
    """The verdicts of both on the answers that both have, by name."""
    named = {name_key(label): hit for label, hit in zip(other.gold, other.found, strict=True)}
    return [
        (hit, named[key])
        for label, hit in zip(resolution.gold, resolution.found, strict=True)
        if (key := name_key(label)) in named
    ]


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else None


# A language model that judges: asked once for each prompt, and its failures are counted. Prompts are
# templates by name. Each profile has its own; a file may replace them, with the same placeholders as the
# published ones, because figures depend on the wording.

MOST_TOKENS = 4096
"""The most tokens of a reply: some judges reason before they decide."""


class Judge:
    """A model at a server, with the prompts it is given in place of the profile's; safe to use from several
    threads.
    """

    def __init__(
        self,
        client: "Client",
        model: str,
        prompts: Mapping[str, str] | Path | str | None = None,
        max_tokens: int = MOST_TOKENS,
    ) -> None:
        self.client, self.model = client, model
        self.prompts = read_prompts(prompts) if isinstance(prompts, Path | str) else dict(prompts or {})
        self.failures: dict[str, str] = {}
        """Why prompts got no usable reply, by prompt."""
        self._max_tokens = max_tokens
        self._replies: dict[str, str | None] = {}
        self._lock = threading.Lock()

    def ask(self, template: str, **fields: str) -> str | None:
        """The reply to a prompt; None if the model gives none, which is counted."""
        from rollcall.llm.server import ModelError

        prompt = filled(template, fields)
        with self._lock:
            if prompt in self._replies:
                return self._replies[prompt]
        try:
            reply: str | None = self.client.complete(self._request(prompt)).text
        except ModelError as error:
            reply = None
            self.failures[prompt] = str(error)
        with self._lock:
            self._replies[prompt] = reply
        return reply

    def reject(self, template: str, why: str, **fields: str) -> None:
        """Count a reply that cannot be read, and remove it from the cache, so that it is asked for again."""
        prompt = filled(template, fields)
        with self._lock:
            new = prompt not in self.failures
            self.failures[prompt] = why
        if new:
            self.client.forget(self._request(prompt))

    @property
    def wording(self) -> str:
        """Whose prompts it is given, for reports."""
        if not self.prompts:
            return "Rollcall's"
        content = msgspec.json.encode(self.prompts, order="deterministic")
        return f"given, sha256 {hashlib.sha256(content).hexdigest()[:12]}"

    def _request(self, prompt: str) -> "Request":
        from rollcall.llm.server import ask

        return ask(self.model, prompt, max_tokens=self._max_tokens)


def filled(template: str, fields: Mapping[str, str]) -> str:
    """A template with its fields, by the rules of `str.format`."""
    try:
        return template.format(**fields)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        known = ", ".join(f"{{{name}}}" for name in fields)
        raise RollcallError(
            f"a prompt for judging cannot be filled in ({error!r:.80}); it may have {known}, and other "
            "braces are doubled"
        ) from None


def read_prompts(path: Path | str) -> dict[str, str]:
    """Prompts by name from a YAML or JSON file."""
    import yaml

    try:
        given = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        about = " ".join(str(error).split())
        raise RollcallError(f"{path}: is not a file of prompts ({about:.200})") from None
    if not isinstance(given, dict) or not all(
        isinstance(text, str) for pair in given.items() for text in pair
    ):
        raise RollcallError(f"{path}: a file of prompts has texts by name, as in `grade: …`")
    return given


# A profile whose published scorer asks a language model about a response as a whole. The judge is given
# from outside. A profile has a counterpart that needs no model, under a name of its own, so that no
# figure of one passes for the other's; reports show how far both agree.


class JudgedProfile(Profile):
    """Base of the profiles that a language model judges."""

    reads_whole = True
    prompts: ClassVar[dict[str, str]] = {}
    """The templates of what is asked, by name."""
    counterpart: ClassVar[str] = ""
    """The profile that does the same without a model."""
    judge_model: Judge | None = None

    def seated(self, judge: Judge | None) -> Self:
        """This profile with its judge; without one it must have one already."""
        if judge is not None:
            unknown = [name for name in judge.prompts if name not in self.prompts]
            if unknown:
                known = ", ".join(self.prompts)
                raise RollcallError(
                    f"the profile {self.name} has no prompt {unknown[0]!r:.80}; it has {known}"
                )
            self.judge_model = judge
        assert self.seat
        return self

    @property
    def seat(self) -> Judge:
        """The judge, which must be there."""
        if self.judge_model is None:
            raise RollcallError(
                f"the profile {self.name} asks a language model: give --judge MODEL with --base-url ADDRESS "
                "(any OpenAI-compatible server); without one there is its deterministic part, --profile "
                f"{self.counterpart}"
            )
        return self.judge_model

    def template(self, name: str) -> str:
        return self.seat.prompts.get(name, self.prompts[name])

    def consult(self, asked: Sequence[tuple[Question, Sequence[Answer], Sequence[Predicted]]]) -> None:
        """Judge many questions at the same time; the replies are kept, so that scoring finds them."""
        from rollcall._core.console import Progress

        complete_types()
        with (
            Progress(f"judged by {self.seat.model}", len(asked), count=True) as bar,
            ThreadPoolExecutor(self.seat.client.concurrency) as pool,
        ):
            pending = [pool.submit(self.resolve, *case) for case in asked]
            try:
                for future in pending:
                    future.result()
                    bar.advance(1, str(self.seat.client.spending))
            finally:
                for future in pending:
                    future.cancel()

    def not_judged(self, gold: Sequence[str]) -> Resolution:
        return Resolution([], [], list(gold), [False] * len(gold), judged=False)

    def warning(self, resolution: Resolution) -> str | None:
        if resolution.judged:
            return None
        return f"no response, or no verdict of {self.seat.model}: left out of every figure, as published"


def response_of(predictions: Sequence[Predicted]) -> str:
    """What a judge reads: a response as it is, or one answer a line."""
    return "\n".join(texts(predictions)).strip()
