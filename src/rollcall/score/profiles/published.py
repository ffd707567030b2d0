"""The scorers of published sets that need few lines: GraphQuestions, RoMQA, QUEST, LOFT, open-domain question
answering, "What's in a Name?", AmbigQA and ALCE. Each repeats its authors' scorer, with its quirks.
"""

import unicodedata
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import ClassVar

from rollcall.questions.record import Answer, Question
from rollcall.score.match import (
    WRONG,
    Boundary,
    Match,
    Resolution,
    best_assignment,
    normalise,
    normalise_all,
    normalise_groups,
    rated,
)
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES

# GraphQuestions' scorer: lists of exact strings, with repeats counted on both sides.
#
# An empty prediction has precision 1 by its authors' definition, which raises the mean precision of a system
# that gives no answers; the F1 of such a question is 0.


@PROFILES.register("graphquestions")
class GraphQuestionsProfile(Profile):
    """GraphQuestions' scorer: lists of exact strings; an empty prediction has precision 1.

    - *Lists of exact strings*: precision is the share of predicted items in the gold, recall the share of
      gold items predicted, repeats counted on both sides. Gold `A, A, B`, prediction `A`: P 1, R 2/3.
    - An empty prediction has precision 1, recall 0, F1 0, which lifts the mean precision of silent systems.
    - Raises without gold: recall 0, with a warning.
    - `rollcall score jacana.res --profile graphquestions --by cardinality,paraphrase-rank` prints the paper's
      rows for JACANA.
    """

    source = "GraphQuestions (Su et al.), §7.3 and its evaluation script"
    default_measures = ("P", "R", "F1", "time")

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        labels = [answer.label for answer in gold]
        counted = texts(predictions)
        given = set(counted)
        places = {label: index for index, label in reversed(list(enumerate(labels)))}
        return Resolution(
            counted,
            [places.get(prediction, WRONG) for prediction in counted],
            labels,
            [label in given for label in labels],
        )

    def rate(self, resolution: Resolution) -> Match:
        predicted, gold = len(resolution.predictions), len(resolution.gold)
        right = sum(owner != WRONG for owner in resolution.owners)
        precision = right / predicted if predicted else 1.0
        return rated(precision, resolution.found.count(True) / gold if gold else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        return (
            None if resolution.gold else "no gold answers: the published scorer raises; recall counted as 0"
        )


# RoMQA's scorer: exact labels as ordered sets, worst cases in clusters, its own rule for empty gold.
# Questions whose gold is empty (or one empty label) are left out of the means of F1, precision and
# recall, but count as 0 in the cluster minima and in accuracy.


@PROFILES.register("romqa")
class RomqaProfile(Profile):
    """RoMQA's evaluation.py: exact labels, no aliases, no normalisation, cluster minima.

    - Exact labels, nothing else: `northern canyon` is not `Northern Canyon`. Entities that share a label
      collapse.
    - `--gold closed` takes the candidates marked as answers, `--gold complete` (default) the complete answer.
    - Gold that is empty, or one empty label, is left out of the means of F1, P and R; it counts in `acc`
      (silence is right) and in cluster minima (with 0).
    - The published command drops questions without a complete answer first: `--drop-empty`.
    - Crashes where every gold is empty: no value (null), with a warning.
    """

    source = "RoMQA (Zhong et al.), evaluation.py"

    def measures(self, *, closed: bool, clustered: bool) -> Sequence[str]:
        if closed:
            return ("F1", "min(F1)", "acc", "min(acc)", "P", "R")
        return ("F1", "min(F1)", "P@10", "min(P@10)", "P", "R", "acc")

    def distinct(self, predictions: Sequence[Predicted]) -> list[Predicted]:
        return list(dict.fromkeys(texts(predictions)))

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        places = {label: index for index, label in enumerate(dict.fromkeys(answer.label for answer in gold))}
        counted = list(dict.fromkeys(texts(predictions)))
        owners = [places.get(label, WRONG) for label in counted]
        named = set(owners)
        return Resolution(counted, owners, list(places), [index in named for index in range(len(places))])

    def rate(self, resolution: Resolution) -> Match:
        gold, predicted = len(resolution.gold), len(resolution.predictions)
        hits = resolution.found.count(True)
        empty = not any(resolution.gold)
        precision = hits / predicted if predicted else 0.0
        return rated(precision, hits / gold if gold else 0.0, resolution, in_means=not empty)


# QUEST's scorer: the exact titles of documents, as sets; and LOFT's, for the ids of passages. Nothing is
# normalised, but that LOFT removes white space around ids. Without a right title, precision, recall and
# F1 are 0.


@PROFILES.register("quest")
class QuestProfile(Profile):
    """QUEST's run_eval.py: sets of exact titles.

    - Sets of exact titles: nothing is normalised. No right title: P, R and F1 are 0.
    - `MRecall@k` and `R@k` are those of its retriever's script (k items of the list, repeats included); `--by
      kind` gives its templates.
    - `loft-retrieval` does the same with ids of passages, without white space around them: LOFT's recall@k is
      `R@k`, its mRecall@k `MRecall-k@k`, its capped recall@1 `R-1@1`.
    - Raises without gold: 0, with a warning. Predictions have the form of the gold (`query`, `docs`).
    """

    source = "QUEST (Malaviya et al.), language/quest/eval/run_eval.py"
    default_measures: ClassVar[tuple[str, ...]] = ("P", "R", "F1", "MRecall")

    def form(self, name: str) -> str:
        """A title or id as it is compared."""
        return name

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        wanted = dict.fromkeys(self.form(answer.label) for answer in gold)
        places = {title: index for index, title in enumerate(wanted)}
        counted = list(dict.fromkeys(map(self.form, texts(predictions))))
        owners = [places.get(title, WRONG) for title in counted]
        named = set(owners)
        return Resolution(counted, owners, list(places), [index in named for index in range(len(places))])

    def rate(self, resolution: Resolution) -> Match:
        hits, given, gold = resolution.found.count(True), len(resolution.predictions), len(resolution.gold)
        return rated(hits / given if hits else 0.0, hits / gold if hits else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        return None if resolution.gold else "no gold answers: the published scorer raises; counted as 0"


@PROFILES.register("loft-retrieval")
class LoftRetrievalProfile(QuestProfile):
    """LOFT's retrieval.py: the ids of relevant passages, in the order in which they were given."""

    source = "LOFT (Lee et al.), evaluation/retrieval.py"
    default_measures = ("R@1", "R-1@1", "MRecall-1@1", "MRecall-2@2", "MRecall-3@3", "MRecall-5@5")

    def form(self, name: str) -> str:
        return name.strip()


# Exact match as in open-domain question answering: any listed string may be the answer. All names of all
# gold answers are alternatives, and the first prediction is compared with them. `nq` has the word
# boundary of QAMPARI's and FiD's scorers, `answerequiv` that of "What's in a Name?".


@PROFILES.register("nq")
class NaturalQuestionsProfile(Profile):
    """Exact match after the SQuAD normaliser, any gold string (`regex` word boundaries).

    Exact match of the first prediction with any name of any gold answer, by `qampari`'s normaliser; `nq`
    with `regex` boundaries (QAMPARI's scorer), `answerequiv` with `re` (What's in a Name?). They differ next
    to combining marks, superscripts and joiners: `a² plan` is `² plan` for one and not for the other. No
    gold: 0.
    """

    source = "Natural Questions open; QAMPARI's compute_metrics_nq"
    default_measures = ("EM",)
    boundary: Boundary = "regex"

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        names = [name for answer in gold for name in (answer.label, *answer.aliases)]
        accepted = set(normalise_all(names, self.boundary))
        counted = texts(predictions)
        forms = normalise_all(counted, self.boundary)
        owners = [0 if form in accepted else WRONG for form in forms]
        return Resolution(counted, owners, names[:1], [0 in owners] if names else [])

    def rate(self, resolution: Resolution) -> Match:
        right = sum(owner != WRONG for owner in resolution.owners)
        predicted = len(resolution.predictions)
        return rated(right / predicted if predicted else 0.0, float(any(resolution.found)), resolution)

    def prepare(self, text: str) -> str:
        return normalise(text, self.boundary)

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if name)


@PROFILES.register("answerequiv")
class AnswerEquivalenceProfile(NaturalQuestionsProfile):
    """Exact match as in “What's in a Name?”: like nq, with the word boundaries of Python's `re`.

    It differs from `nq` next to combining marks, superscripts and joiners.
    """

    source = "AnswerEquiv (Si et al.), get_exact_match"
    boundary: Boundary = "re"


# AmbigQA's F1: predictions and gold answers are paired greedily one to one, in the given order. Each
# answer in turn takes the first free prediction that names it. With several annotations the best one
# counts, as under every profile.


@PROFILES.register("ambigqa")
class AmbigQaProfile(Profile):
    """AmbigQA's F1: greedy one-to-one pairing in order, best annotation.

    Gold answers are taken in order, each takes the first free prediction that names it (`re` boundaries), one
    to one. With several annotations the best F1 counts; `--by kind` separates the "multi only" subset.
    Refuses empty input: 0, with a warning.

    `rollcall score dev.json predictions.json --profile ambigqa --measures F1 --by kind` gives both figures
    that its script prints: F1 of all questions, and of `multiple answers` ("multi only"). Predictions are
    `{id: ["1624", "1664"]}` or `{id: [{"question": …, "answer": …}]}`. The questions of such pairs are not
    scored: their BLEU and EDIT-F1 need a tokeniser in Java. `rollcall export SET --format ambigqa` writes its
    form, from any set.
    """

    source = "AmbigQA (Min et al.), as shipped with AnswerEquiv"
    default_measures = ("F1", "P", "R")

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        counted = texts(predictions)
        free: dict[str, deque[int]] = defaultdict(deque)
        for position, form in enumerate(normalise_all(counted)):
            free[form].append(position)
        owners = [WRONG] * len(counted)
        hits = [False] * len(gold)
        for index, names in enumerate(normalise_groups([(answer.label, *answer.aliases) for answer in gold])):
            naming = [free[name] for name in names if free.get(name)]
            if naming:
                owners[min(naming, key=lambda positions: positions[0]).popleft()] = index
                hits[index] = True
        return Resolution(counted, owners, [answer.label for answer in gold], hits)

    def rate(self, resolution: Resolution) -> Match:
        hits = resolution.found.count(True)
        precision = hits / len(resolution.predictions) if resolution.predictions else 0.0
        return rated(precision, hits / len(resolution.gold) if resolution.gold else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        if resolution.gold and resolution.predictions:
            return None
        return "no predictions or no gold answers: the published scorer refuses; counted as 0"

    def prepare(self, text: str) -> str:
        return normalise(text)

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if name)


# ALCE's scorer for QAMPARI: normalised lists, blank predictions dropped, five answers are enough.
# Precision counts every listed prediction, including repeats. Recall counts every gold answer of which a
# name is predicted. R-5 and F1-5 stop counting at five answers.


@PROFILES.register("alce")
class AlceProfile(Profile):
    """ALCE's scorer for QAMPARI: normalised lists, recall capped at five answers.

    Predictions normalised (`re`), blanks dropped, repeats kept; precision is the share that name some answer,
    recall the share of gold answers (repeats included) with a name among them, `R-5` and `F1-5` count at most
    five. A generated string has its `[1]` marks removed and is cut at commas. The label is one of an answer's
    names.
    """

    source = "ALCE (Gao et al.), compute_qampari_f1"
    default_measures = ("P", "R", "R-5", "F1", "F1-5")

    def distinct(self, predictions: Sequence[Predicted]) -> list[Predicted]:
        return [prediction for prediction in texts(predictions) if normalise(prediction)]

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        said_as = texts(predictions)
        pairs = [(text, form) for text, form in zip(said_as, normalise_all(said_as), strict=True) if form]
        counted, forms = [text for text, _ in pairs], [form for _, form in pairs]
        given = set(forms)
        hits = []
        owner_of: dict[str, int] = {}
        for index, names in enumerate(normalise_groups([(answer.label, *answer.aliases) for answer in gold])):
            hits.append(not names.isdisjoint(given))
            for name in names:
                owner_of.setdefault(name, index)
        owners = [owner_of.get(form, WRONG) for form in forms]
        return Resolution(counted, owners, [answer.label for answer in gold], hits)

    def rate(self, resolution: Resolution) -> Match:
        right = sum(owner != WRONG for owner in resolution.owners)
        precision = right / len(resolution.predictions) if resolution.predictions else 0.0
        gold = len(resolution.gold)
        return rated(precision, resolution.found.count(True) / gold if gold else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        return (
            None if resolution.gold else "no gold answers: the published scorer divides by zero; counted as 0"
        )

    def prepare(self, text: str) -> str:
        return normalise(text)

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if name)


# LOFT's scorer for sets of strings: one string may stand in the other, and each is used once.
#
# A prediction fits a gold answer if one of the two, normalised, contains the other. They are assigned to each
# other so that as many as possible fit, which is what an optimal linear assignment of ones and zeros is. LOFT
# reports three figures, which are measures of their own here; precision, recall and F1 follow the assignment.

SUBSPAN, COVERAGE, SAME_SET = "SubspanEM", "Coverage", "SetEM"


@PROFILES.register("loft")
class LoftProfile(Profile):
    """LOFT's multi_value_rag: strings that contain each other, assigned one to one for the best.

    - Strings are decomposed (NFD) and normalised as in `answerequiv`. A prediction fits an answer if either
      contains the other; both are assigned one to one so that as many as possible fit, which is what its
      linear assignment of ones and zeros finds.
    - `SubspanEM` (its `subspan_em`): every gold answer is assigned. `SetEM` (`em`): both normalised sets are
      equal. `Coverage` (`coverage`): gold answers that are predicted, by equality, of all listed; questions
      without a prediction are *left out* of its mean, as published, and count 0 in the other two. P, R and F1
      follow the assignment, and are ours.
    - The empty string is contained in every other, as published: a gold answer `The` fits any prediction.
    - `model_outputs` that are text are read as its own tools do: the list in the line `Final Answer: […]`.
    """

    source = "LOFT (Lee et al.), evaluation/rag.py, MultiValueRagEvaluation"
    default_measures = (SUBSPAN, SAME_SET, COVERAGE, "P", "R", "F1")
    own_figures = (SUBSPAN, SAME_SET, COVERAGE)

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        counted = texts(predictions)
        given = normal_forms(counted)
        names = [normal_forms([answer.label, *answer.aliases]) for answer in gold]
        fits = [
            [
                index
                for index, forms in enumerate(names)
                if any(name in form or form in name for form in forms)
            ]
            for name in given
        ]
        assigned = best_assignment(fits)
        owners = [WRONG if index is None else index for index in assigned]
        hits = [index in owners for index in range(len(gold))]
        own = _figures(given, names, all(hits)) if gold else {}
        return Resolution(counted, owners, [answer.label for answer in gold], hits, own=own)

    def rate(self, resolution: Resolution) -> Match:
        hits, given, gold = resolution.found.count(True), len(resolution.predictions), len(resolution.gold)
        return rated(hits / given if given else 0.0, hits / gold if gold else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        if not resolution.gold:
            return "no gold answers: the published scorer divides by zero; left out"
        return (
            None
            if resolution.predictions
            else f"no predictions: the published scorer leaves them out of {COVERAGE} and counts 0 elsewhere"
        )

    def prepare(self, text: str) -> str:
        return normal_forms([text])[0]

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if name)


def normal_forms(names: Sequence[str]) -> list[str]:
    """Strings as LOFT compares them: accents are separated from their letters first."""
    return normalise_all([unicodedata.normalize("NFD", name) for name in names])


def _figures(given: list[str], names: list[list[str]], all_found: bool) -> dict[str, float]:
    """LOFT's three figures; without a prediction there is no coverage."""
    if not given:
        return {SUBSPAN: 0.0, SAME_SET: 0.0}
    owner_of: dict[str, int] = {}
    for index, forms in enumerate(names):
        for form in forms:
            owner_of.setdefault(form, index)
    equal = {owner_of[form] for form in given if form in owner_of}
    same = all(form in owner_of for form in given) and all(
        not set(given).isdisjoint(forms) for forms in names
    )
    return {SUBSPAN: float(all_found), SAME_SET: float(same), COVERAGE: len(equal) / len(names)}
