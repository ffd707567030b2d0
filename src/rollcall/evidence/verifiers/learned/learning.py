"""Learns the verifier from a graph and a corpus: examples, `contrast`, and how both become one score.

What is drawn from the graph and the corpus is the same for any relations, so a build draws once. If the model
removes too few wrong facts of held-out pages, its weights are adapted first, where a GPU makes that quick.
"""

import zipfile
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from rollcall.decompression import Archive
from rollcall.evidence.verifiers.contrast.lessons import Lessons
from rollcall.evidence.verifiers.contrast.lessons_file import read_lessons, write_lessons
from rollcall.evidence.verifiers.contrast.searching import searched_sample
from rollcall.evidence.verifiers.contrast.verifier import learn_contrast
from rollcall.evidence.verifiers.learned.adapting import adapted_model, can_adapt_quickly
from rollcall.evidence.verifiers.learned.combining import Combination, Numbers, Opinions, combine, removed
from rollcall.evidence.verifiers.learned.examples import Example, draw_examples
from rollcall.evidence.verifiers.learned.model import StatementModel
from rollcall.evidence.verifiers.learned.packaged import packaged_model
from rollcall.evidence.verifiers.learned.verifier import ENOUGH, About, LearnedVerifier
from rollcall.evidence.verifiers.verifier import VerifierContext
from rollcall.progress import Progress
from rollcall.tables.engine import map_here

if TYPE_CHECKING:
    from rollcall.evidence.candidate import CandidateSentence
    from rollcall.tables.engine import Engine

_FEWEST = 40
"""With fewer examples the model judges alone."""
_MOST_ASKED = 800
"""How many sentences both are asked about to learn their combination."""
_BLOCK = 250
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


class Drawn(NamedTuple):
    """What is drawn from a graph and a corpus."""

    lessons: Lessons
    examples: list[Example]


def draw(context: VerifierContext) -> Drawn:
    """Draw facts, and search for them."""
    assert context.graph is not None
    assert context.corpus is not None
    with searched_sample(context.graph, context.corpus, context.engine, context.work) as found:
        return Drawn(found.lessons(context.lexicon), draw_examples(found.candidates(), found.sample))


def write_drawn(path: Path, drawn: Drawn) -> None:
    """Write what was drawn to a file."""
    with TemporaryDirectory() as temporary, zipfile.ZipFile(path, "w") as file:
        lessons = Path(temporary) / "lessons.npz"
        write_lessons(lessons, drawn.lessons)
        file.writestr(zipfile.ZipInfo("lessons.npz", _FIXED_DATE), lessons.read_bytes())
        examples = msgspec.msgpack.encode(drawn.examples)
        file.writestr(zipfile.ZipInfo("examples.msgpack", _FIXED_DATE), examples)


def read_drawn(path: Path) -> Drawn:
    """What such a file has."""
    with Archive.open(path) as file:
        examples = msgspec.msgpack.decode(file.read("examples.msgpack"), type=list[Example])
        return Drawn(read_lessons(BytesIO(file.read("lessons.npz"))), examples)


def unlearned(folder: Path | None, context: VerifierContext) -> LearnedVerifier:
    """The model alone, with its own calibration."""
    model = StatementModel(folder or packaged_model())
    given = str(folder.absolute()) if folder else ""
    about = About(context.relation_labels(), model.calibration, model.fingerprint, given)
    return LearnedVerifier(model, about, None, context.lexicon)


def learn(folder: Path | None, adapt: str, context: VerifierContext) -> LearnedVerifier:
    """Learn `contrast` and how to combine it with the model; adapt the model first where it has to be."""
    drawn = draw(context) if context.prepared is None else read_drawn(context.prepared)
    alone = unlearned(folder, context)
    earlier = None if context.earlier is None else LearnedVerifier.load(context.earlier, context.lexicon)
    contrast = learn_contrast(
        drawn.lessons,
        relations=context.relations,
        lexicon=context.lexicon,
        earlier=None if earlier is None or earlier.contrast is None else earlier.contrast.models,
        engine=context.engine,
    )
    if earlier is not None and earlier.model.adapted is not None:
        alone = LearnedVerifier(earlier.model, alone.about, None, context.lexicon)
    judging = LearnedVerifier(alone.model, alone.about, contrast, context.lexicon)
    wanted = set(drawn.lessons.own if context.relations is None else context.relations)
    examples = [one for one in drawn.examples if one.candidate.relation in wanted] or drawn.examples
    if len(examples) < _FEWEST:
        return judging
    share = None
    if earlier is not None:
        found = earlier.about.combination
    else:
        asked = _Asked(judging, _some(examples), context.engine)
        found = asked.combination()
        share = asked.removed(found)
        if adapt == "weights" or (adapt == "auto" and share < ENOUGH and can_adapt_quickly()):
            model = adapted_model(alone, drawn.examples)
            judging = LearnedVerifier(model, alone.about, contrast, context.lexicon)
            unseen = [one for one in examples if one.held_out]
            if len(unseen) >= _FEWEST:
                found = _Asked(judging, _some(unseen), context.engine).combination()
    about = msgspec.structs.replace(alone.about, combination=found, removed=share)
    return LearnedVerifier(judging.model, about, contrast, context.lexicon)


def _some(examples: list[Example]) -> list[Example]:
    """About as many examples as are asked about: whole groups, evenly chosen."""
    step = max(1, len(examples) // _MOST_ASKED)
    return [one for one in examples if one.group % step == 0]


class _Asked:
    """What the model and `contrast` say about examples, and about what these do not state."""

    def __init__(self, verifier: LearnedVerifier, examples: list[Example], engine: "Engine | None") -> None:
        self._own = verifier.model.calibration
        self._groups = np.array([one.group for one in examples], np.int64)
        held = [one.candidate for one in examples]
        wrong = [not_stated for one in examples for not_stated in one.not_stated()[-2:]]
        every = held + wrong
        blocks = [every[start : start + _BLOCK] for start in range(0, len(every), _BLOCK)]
        run = map_here if engine is None else engine.map_blocks
        said: list[Numbers] = []
        with Progress("asking the model", len(every)) as progress:
            for part in run(_ask, blocks, partial(_same, verifier)):
                said.append(part)
                progress.advance(len(part))
        model = np.concatenate([np.zeros(0), *said])
        contrast = verifier.contrast_logits(every)
        self._held = Opinions(model[: len(held)], contrast[: len(held)])
        self._wrong = Opinions(model[len(held) :], contrast[len(held) :])

    def combination(self) -> Combination:
        return combine(self._own, self._held, self._groups, self._wrong)

    def removed(self, combination: Combination) -> float:
        return removed(self._held, self._groups, self._wrong, combination)


def _same(verifier: LearnedVerifier) -> LearnedVerifier:
    return verifier


def _ask(verifier: LearnedVerifier, candidates: "list[CandidateSentence]") -> Numbers:
    return verifier.model_logits(candidates)
