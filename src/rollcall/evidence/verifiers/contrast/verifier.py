"""The default verifier: learned from the user's own graph and corpus, without any download.

Every relation has a sparse logistic regression over n-grams with masked names; relations with few examples
also use a model that all relations share. A sentence must also score higher for its relation than for any of
the relation's rivals. Pages are divided into folds, and a sentence is scored only by models learned from
pages of other folds. An explanation gives the n-grams that count for and against.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import RollcallError
from rollcall._core.files import remove
from rollcall._core.workers import collection_paused
from rollcall.evidence.candidate import CandidateSentence, from_table
from rollcall.evidence.verifiers.contrast.features import (
    BITS,
    Numbers,
    Rows,
    SparseRows,
    feature_columns,
    features,
    hashed,
    masked,
    of_names,
    relation_cues,
    stacked,
    without_cues,
)
from rollcall.evidence.verifiers.contrast.model import (
    FOLDS,
    FeatureWeights,
    Learned,
    Model,
    Regression,
    RelationData,
    learn_relation,
    read_models,
    sigmoid,
    write_models,
)
from rollcall.evidence.verifiers.contrast.training_sentences import (
    FactSample,
    TrainingSentences,
    choose_rivals,
    draw_sample,
    fold_of,
    training_sentences_of,
)
from rollcall.evidence.verifiers.verifier import Reason, Verifier
from rollcall.tables.build import Candidates
from rollcall.tables.engine import Engine, map_here, nothing, opened
from rollcall.tables.files import read

if TYPE_CHECKING:
    from rollcall.wording import Lexicon


TARGET_LOSS = 0.03
_LOWEST, _HIGHEST = 0.4, 0.7
_BELIEVED = 0.5
_WORTHWHILE = 8
"""For fewer relations, starting a second process takes longer than it saves."""
_EXAMPLES_FOR_HALF = 15.0
_MARGIN, _SHARPNESS = 1.5, 1.5
"""How far (in log-odds) a rival must lead before it counts, and how steeply it then counts."""
_FLOOR = 0.02
"""Added to low scores, so that rivals still rank sentences that state the relation in rare words."""


def trust_in(model: Model) -> float:
    """The weight of a relation's own model beside the shared one."""
    return model.examples / (model.examples + _EXAMPLES_FOR_HALF)


class ContrastVerifier(Verifier):
    """Scores sentences by the wordings that occur with a relation and not with others."""

    name = "contrast"
    parallel = True

    def __init__(
        self,
        models: dict[str, Model],
        shared: tuple[FeatureWeights, ...],
        lexicon: "Lexicon | None" = None,
    ) -> None:
        """The `lexicon` gives the cues of relations that were not in the graph."""
        self.models, self._shared, self._lexicon = models, shared, lexicon
        self._unknown: dict[str, Model] = {}

    def scores(self, candidates: Sequence[CandidateSentence]) -> Numbers:
        """The probability that each sentence states its fact."""
        if not candidates:
            return np.zeros(0)
        matrix = hashed(
            feature_columns(masked(candidate), self._model(candidate.relation).cues)
            for candidate in candidates
        )
        folds = np.array([_fold(candidate) for candidate in candidates])
        return self.scores_of_rows(matrix, [candidate.relation for candidate in candidates], folds)

    def scores_of_rows(self, matrix: SparseRows, relations: Sequence[str], folds: Rows) -> Numbers:
        """The probabilities for sentences of these relations and folds: that the relation is stated, and not
        a rival instead.
        """
        probabilities = np.zeros(matrix.height)
        for fold in range(FOLDS):
            rows = np.flatnonzero(folds == fold)
            if len(rows):
                probabilities[rows] = self._scores_of_fold(
                    fold, matrix.take(rows), [relations[row] for row in rows.tolist()]
                )
        return probabilities

    def _scores_of_fold(self, fold: int, matrix: SparseRows, relations: Sequence[str]) -> Numbers:
        """The probabilities for sentences of one fold; each model is used once, for all sentences."""
        rows_by_relation: dict[str, list[int]] = {}
        for row, relation in enumerate(relations):
            rows_by_relation.setdefault(relation, []).append(row)
        buffer = np.zeros(1 << BITS)
        probabilities = sigmoid(self._logits(fold, matrix, rows_by_relation, buffer))
        leads = self._leads(fold, matrix, rows_by_relation, buffer)
        for relation, rows in rows_by_relation.items():
            model = self._model(relation)
            if model.rivals:
                unrivalled = sigmoid(_SHARPNESS * (leads[rows] + _MARGIN)) ** trust_in(model)
                probabilities[rows] = (_FLOOR + (1 - _FLOOR) * probabilities[rows]) * unrivalled
        return probabilities

    def _logits(
        self, fold: int, matrix: SparseRows, rows_by_relation: Mapping[str, Sequence[int]], buffer: Numbers
    ) -> Numbers:
        """The log-odds that each sentence states its relation, by the relation's model and the shared one."""
        logits = self._shared[fold].logits(matrix, buffer)
        for relation, rows in rows_by_relation.items():
            model = self._model(relation)
            if model.weights:
                trust = trust_in(model)
                alone = model.weights[fold].logits(matrix.take(rows), buffer)
                logits[rows] = trust * alone + (1 - trust) * logits[rows]
        return logits

    def _leads(
        self, fold: int, matrix: SparseRows, rows_by_relation: Mapping[str, Sequence[int]], buffer: Numbers
    ) -> Numbers:
        """How far, in log-odds, the relation of each sentence leads the strongest of its rivals."""
        claimed: dict[str, list[int]] = {}
        for relation, rows in rows_by_relation.items():
            rivals = self._model(relation).rivals
            for rival in rivals:
                claimed.setdefault(rival, []).extend(rows)
            if rivals:
                claimed.setdefault(relation, [])
        leads, strongest = np.zeros(matrix.height), np.full(matrix.height, -np.inf)
        for claimant, rivalled in claimed.items():
            rows = rows_by_relation.get(claimant, [])
            logits = self.models[claimant].claims[fold].logits(matrix.take([*rows, *rivalled]), buffer)
            leads[rows] = logits[: len(rows)]
            strongest[rivalled] = np.maximum(strongest[rivalled], logits[len(rows) :])
        leads -= strongest
        return leads

    def accepts(self, candidates: Sequence[CandidateSentence], scores: Numbers) -> NDArray[np.bool_]:
        """Whether each score reaches its relation's threshold."""
        least = np.array([self._model(candidate.relation).threshold for candidate in candidates])
        accepted: NDArray[np.bool_] = scores >= least
        return accepted

    def explain(self, candidate: CandidateSentence, top: int = 10) -> list[Reason]:
        """The features of a sentence with the largest weights, for and against."""
        model = self._model(candidate.relation)
        names = features(masked(candidate), model.cues)
        matrix = hashed([[], *([column] for column in of_names(names))])
        rows_by_relation = {candidate.relation: range(matrix.height)}
        logits = self._logits(_fold(candidate), matrix, rows_by_relation, np.zeros(1 << BITS))
        weights = logits[1:] - logits[0]
        reasons = [Reason(name, round(float(weight), 4)) for name, weight in zip(names, weights, strict=True)]
        return sorted(reasons, key=lambda reason: (-abs(reason.weight), reason.feature))[:top]

    def _model(self, relation: str) -> Model:
        model = self.models.get(relation)
        if model is None:
            model = self._unknown.get(relation)
        if model is None:
            model = self._unknown[relation] = Model(
                relation_cues({relation: relation}, self._lexicon)[relation]
            )
        return model

    def save(self, path: Path) -> None:
        """Store the learned models in a file."""
        write_models(path, self.models, self._shared)

    @classmethod
    def load(cls, path: Path, lexicon: "Lexicon | None" = None) -> "ContrastVerifier":
        """Load models that were stored before."""
        return cls(*read_models(path), lexicon)


def _fold(candidate: CandidateSentence) -> int:
    return fold_of(candidate.page) % FOLDS if candidate.page else 0


def draw_training_sentences(
    graph: Path,
    corpus: Path,
    lexicon: "Lexicon | None" = None,
    engine: "Engine | None" = None,
    work: Path | None = None,
) -> TrainingSentences:
    """The sentences that all relations of a graph are learned from; the `lexicon` gives their cues.

    Without an `engine` one process of this machine searches. `work` is a folder for intermediate files, by
    default a temporary one.
    """
    with searched_sample(graph, corpus, engine, work) as searched:
        return searched.training_sentences(lexicon)


def learn_contrast(
    training: TrainingSentences,
    *,
    relations: Collection[str] | None = None,
    lexicon: "Lexicon | None" = None,
    earlier: Mapping[str, Model] | None = None,
    engine: "Engine | None" = None,
) -> ContrastVerifier:
    """Learn a verifier; the result is the same for any engine and number of jobs.

    With `relations`, only these are learned, each against the sentences of all; others are left to the shared
    model. The `lexicon` is that of the sentences. Relations among the `earlier` models, which were learned
    from the same sentences, are not learned again.
    """
    cues = relation_cues(training.known.labels, lexicon)
    relations_to_learn = training.rows_of_relation.keys() & set(
        training.rows_of_relation if relations is None else relations
    ) or {*training.rows_of_relation}
    learned = {
        relation: Learned(relation, model.weights, model.claims, model.labels)
        for relation, model in (earlier or {}).items()
        if relation in relations_to_learn and len(model.labels)
    }
    learned |= _learn_all(training, relations_to_learn - learned.keys(), engine)
    shared = learn_shared(training, learned, engine)
    rivals = choose_rivals(training, learned)
    models = {
        relation: Model(
            cues.get(relation, ()),
            learned[relation].weights,
            learned[relation].claims,
            len(learned[relation].labels),
            rivals=rivals.get(relation, ()),
            labels=learned[relation].labels,
        )
        if relation in learned
        else Model(cues.get(relation, ()))
        for relation in sorted(training.known.labels)
    }
    return _with_thresholds(ContrastVerifier(models, shared, lexicon), models, training, learned)


def _learn_all(
    training: TrainingSentences, relations: set[str], engine: "Engine | None"
) -> dict[str, Learned]:
    from rollcall._core.console import Progress

    learned: dict[str, Learned] = {}
    run = map_here if engine is None or len(relations) < _WORTHWHILE else engine.map_blocks
    with Progress("learning relations", len(relations)) as progress:
        for result in run(_learn, training.tasks(relations), nothing):
            learned[result.relation] = result
            progress.advance(1)
    return learned


def _learn(_prepared: None, task: RelationData) -> Learned:
    return learn_relation(task)


def _with_thresholds(
    verifier: ContrastVerifier,
    models: dict[str, Model],
    training: TrainingSentences,
    learned: dict[str, Learned],
) -> ContrastVerifier:
    """Give each relation the threshold that loses only a given share of the sentences believed to be true."""
    believed = {
        relation: rows
        for relation, result in learned.items()
        if result.weights
        and len(rows := training.rows_of_relation[relation][result.labels >= _BELIEVED]) >= 1 / TARGET_LOSS
    }
    if not believed:
        return verifier
    all_rows = np.concatenate(list(believed.values()))
    relations = [relation for relation, rows in believed.items() for _ in rows]
    scores = verifier.scores_of_rows(
        training.matrix.take(all_rows), relations, training.folds[all_rows] % FOLDS
    )
    for relation, rows in believed.items():
        of_relation, scores = scores[: len(rows)], scores[len(rows) :]
        threshold = round(float(np.clip(np.quantile(of_relation, TARGET_LOSS), _LOWEST, _HIGHEST)), 4)
        models[relation] = models[relation]._replace(threshold=threshold)
    return verifier


# Draws facts of a graph and searches the corpus for them: what verifiers that learn begin with. Where
# facts are stated on the pages of their ends, other sentences state them less often. So other pages are
# searched only for facts without a page.


class SearchedSample(NamedTuple):
    """Facts of a graph, and a folder with the sentences that name their ends."""

    sample: FactSample
    folder: Path
    engine: Engine
    nothing_found: str
    """What to say if there are no sentences."""

    def candidates(self) -> Iterator[CandidateSentence]:
        """The sentences, in the order of the rows of `TrainingSentences`."""
        for path in sorted((self.folder / "candidates").glob("*.parquet")):
            yield from from_table(read(Candidates, path))

    def training_sentences(self, lexicon: "Lexicon | None") -> TrainingSentences:
        """The sentences as training data of the contrast verifier."""
        with collection_paused():
            cues = relation_cues(self.sample.labels, lexicon)
            training = training_sentences_of(self.folder, self.sample, cues, self.engine)
        if training is None:
            raise RollcallError(self.nothing_found)
        return training


@contextmanager
def searched_sample(
    graph: Path, corpus: Path, engine: Engine | None = None, work: Path | None = None
) -> Iterator[SearchedSample]:
    """Draw facts and search for them; the sentences are in a folder that is removed at the end."""
    from rollcall.evidence.search.run import find_candidates

    nothing_found = (
        f"{corpus}: no sentence names both ends of any fact of {graph}, so that nothing can be learned; "
        "was the corpus made for this graph?"
    )
    with _work_folder(work) as folder, opened(engine or "duckdb", jobs=None if engine else 1) as running:
        with running.workbench(folder / "spill") as bench:
            sample = draw_sample(bench, graph, folder)
        find_candidates(
            folder, graph, corpus, sample.facts, running, where="own-pages-first", name="finding examples"
        )
        yield SearchedSample(sample, folder, running, nothing_found)


@contextmanager
def _work_folder(work: Path | None) -> Iterator[Path]:
    """The folder for intermediate files, removed at the end."""
    if work is None:
        with TemporaryDirectory(prefix="rollcall-contrast-") as temporary:
            yield Path(temporary)
        return
    work.mkdir(parents=True)
    try:
        yield work
    finally:
        remove(work)


# Learns what all relations have in common: the back-off model for relations with few examples. One model
# learns from all relations how sentences that state something differ from those that only name two
# things, and how informative the relation's own cues are: for the same sentence with a wrong relation,
# only the cues differ.

MOST_SENTENCES = 60_000
_SHARED_WORTHWHILE = 2_000
"""With fewer sentences, handing them to a second process takes longer than it saves."""


class _Fold(NamedTuple):
    """The sentences that the shared model of a fold is learned from, and their labels."""

    matrix: SparseRows
    labels: Numbers


def learn_shared(
    training: TrainingSentences, learned: dict[str, Learned], engine: "Engine | None" = None
) -> tuple[FeatureWeights, ...]:
    """The shared model for each fold of pages."""
    labels, is_chosen = np.zeros(training.matrix.height), np.zeros(training.matrix.height, bool)
    step = max(1, sum(len(result.labels) for result in learned.values()) // MOST_SENTENCES)
    for relation, result in learned.items():
        labels[training.rows_of_relation[relation]] = result.labels
        is_chosen[training.rows_of_relation[relation][::step]] = True
    run = map_here if engine is None or is_chosen.sum() < _SHARED_WORTHWHILE else engine.map_blocks
    return tuple(run(_fit, _folds(training, labels, is_chosen), nothing))


def _folds(training: TrainingSentences, labels: Numbers, is_chosen: NDArray[np.bool_]) -> Iterator[_Fold]:
    for fold in range(FOLDS):
        rows = is_chosen & (training.folds % FOLDS != fold)
        if rows.sum() < 2:
            rows = is_chosen
        yield _Fold(training.matrix.take(rows), labels[rows])


def _fit(_prepared: None, fold: _Fold) -> FeatureWeights:
    matrix, labels = fold
    regression = Regression(stacked([matrix, without_cues(matrix)]), strength=0.2)
    answers = np.concatenate([labels, np.zeros(matrix.height)])
    sureness = np.concatenate([np.ones(matrix.height), np.full(matrix.height, 0.5)])
    return regression.weights(regression.solve(answers, regression.weighted(sureness)))
