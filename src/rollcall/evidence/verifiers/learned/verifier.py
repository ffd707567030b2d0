"""The learned verifier: a small model that has read labelled text, combined with what this corpus teaches.

Without a graph and a corpus the model judges alone. With them `contrast` learns from both, and a combination
of the two is learned; if the model does not know the relations of this graph, its weights are adapted.
"""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from rollcall.decompression import Archive
from rollcall.errors import RollcallError
from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.verifiers.contrast.verifier import ContrastVerifier
from rollcall.evidence.verifiers.learned.combining import (
    PRIOR,
    Combination,
    Numbers,
    Opinions,
    clipped,
    log_odds,
)
from rollcall.evidence.verifiers.learned.model import StatementModel
from rollcall.evidence.verifiers.learned.reading import Reading, RelationWords, marked
from rollcall.evidence.verifiers.verifier import Reason, Verifier
from rollcall.nesting import UNREADABLE

if TYPE_CHECKING:
    from rollcall.wording import Lexicon

ENOUGH = 0.7
"""The share of wrong facts, at 5 % of true ones lost, from which on weights are not adapted."""
_MEMBERS = ("about.json", "contrast.npz", "adapted.onnx")
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


class About(msgspec.Struct, frozen=True):
    """What a learned verifier is made of, besides its models."""

    labels: dict[str, str]
    combination: Combination
    model: str
    """The fingerprint of the model that it was learned with."""
    folder: str = ""
    """The folder of that model, if it is not the packaged one."""
    removed: float | None = None
    """The share of what its examples do not state that it removed at 5 % lost, with its own weights."""


class LearnedVerifier(Verifier):
    """Scores sentences by a model that has read labelled text, and by the wordings of this corpus."""

    name = "learned"
    parallel = True
    prior = PRIOR

    def __init__(
        self,
        model: StatementModel,
        about: About,
        contrast: ContrastVerifier | None = None,
        lexicon: "Lexicon | None" = None,
    ) -> None:
        self.model, self.about, self.contrast = model, about, contrast
        self.threshold = about.combination.threshold
        self._lexicon = lexicon
        self._words = RelationWords(about.labels, lexicon)

    def __reduce__(self) -> tuple[object, ...]:
        return LearnedVerifier, (self.model, self.about, self.contrast, self._lexicon)

    @property
    def remark(self) -> str:
        share = self.about.removed
        if share is None or share >= ENOUGH or self.model.adapted is not None:
            return ""
        return (
            f"the verifier hardly knows these relations: of what is not stated it removes {share:.0%}; "
            "evidence.options.adapt=weights trains it on this graph and corpus (minutes on a GPU, up to an "
            "hour on a processor; needs torch)"
        )

    def scores(self, candidates: Sequence[CandidateSentence]) -> Numbers:
        """The probability that each sentence states its fact, among sentences of which 30 % do."""
        return self.about.combination.probabilities(*self._opinions(candidates))

    def _opinions(self, candidates: Sequence[CandidateSentence]) -> Opinions:
        """What the model and `contrast` say; where there is no doubt, what the model is expected to say."""
        combination = self.about.combination
        if not combination.contrast:
            return Opinions(self.model_logits(candidates), np.zeros(len(candidates)))
        contrast = self.contrast_logits(candidates)
        model = combination.without_model(contrast)
        doubtful = np.flatnonzero(combination.is_doubtful(contrast))
        model[doubtful] = self.model_logits([candidates[row] for row in doubtful.tolist()])
        return Opinions(model, contrast)

    def model_logits(self, candidates: Sequence[CandidateSentence]) -> Numbers:
        """What the model says."""
        return self.model.logits([self.reading(candidate) for candidate in candidates])

    def reading(self, candidate: CandidateSentence) -> Reading:
        """What the model reads of a candidate."""
        return Reading(self._words.of(candidate.relation), marked(candidate))

    def contrast_logits(self, candidates: Sequence[CandidateSentence]) -> Numbers:
        """What `contrast` says; nothing if it did not learn here."""
        if self.contrast is None:
            return np.zeros(len(candidates))
        return log_odds(self.contrast.scores(candidates))

    def explain(self, candidate: CandidateSentence) -> list[Reason]:
        """What the model and `contrast` add to the log-odds of the score, and the wordings that count for
        `contrast`.
        """
        combination = self.about.combination
        model, contrast = (float(clipped(logits)[0]) for logits in self._opinions([candidate]))
        reasons = [Reason("the model", combination.model * model)]
        if self.contrast is not None:
            reasons.append(Reason("wordings of this corpus", combination.contrast * contrast))
            reasons += self.contrast.explain(candidate)
        return [Reason(reason.feature, round(reason.weight, 4)) for reason in reasons]

    def save(self, path: Path) -> None:
        """Store what was learned; the packaged model is not copied, an adapted one is."""
        assert self.contrast is not None
        with TemporaryDirectory() as temporary:
            contrast = Path(temporary) / "contrast.npz"
            self.contrast.save(contrast)
            contents = [msgspec.json.encode(self.about, order="deterministic"), contrast.read_bytes()]
        if self.model.adapted is not None:
            contents.append(self.model.adapted)
        with zipfile.ZipFile(path, "w") as file:
            for name, content in zip(_MEMBERS, contents, strict=False):
                file.writestr(zipfile.ZipInfo(name, _FIXED_DATE), content)

    @classmethod
    def load(cls, path: Path, lexicon: "Lexicon | None" = None) -> "LearnedVerifier":
        """Load what was stored."""
        from rollcall.evidence.verifiers.learned.packaged import packaged_model

        try:
            with Archive.open(path) as file, TemporaryDirectory() as temporary:
                about = msgspec.json.decode(file.read(_MEMBERS[0]), type=About)
                contrast_file = Path(temporary) / _MEMBERS[1]
                contrast_file.write_bytes(file.read(_MEMBERS[1]))
                contrast = ContrastVerifier.load(contrast_file, lexicon)
                adapted = file.read(_MEMBERS[2]) if _MEMBERS[2] in file.names else None
        except (OSError, RollcallError, *UNREADABLE):
            raise RollcallError(f"{path}: is not a learned verifier that was saved") from None
        model = StatementModel(Path(about.folder) if about.folder else packaged_model(), adapted)
        if adapted is None and model.fingerprint != about.model:
            raise RollcallError(
                f"{path}: was learned with another model than {model.folder}; "
                f"delete {path.parent} to learn again"
            )
        return cls(model, about, contrast, lexicon)
