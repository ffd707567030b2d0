"""Answer and evidence recall of retrievers on any question set and corpus, as in QAMPARI's Table 3.

- `opened_retriever`: a retriever by name, with parameters after colons. `recall`: its recall, by groups.
- `first_questions`: questions in the order of the hashes of their ids. `sampled_corpus`: a smaller haystack.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rollcall.corpus import Corpus
from rollcall.corpus.corpus import CORPUS_FOLDER
from rollcall.papers.tables.declared import CUTS
from rollcall.questions import Passage, Prediction, Question, read_questions
from rollcall.score import score
from rollcall.systems import Context, Retriever, open_retriever
from rollcall.systems.interfaces import asked

MEASURES = [f"{name}@{cut}" for name in ("ARecall", "ERecall") for cut in CUTS]


def opened_retriever(name: str, corpus: Corpus, questions: list[Question], index: Path | None) -> Retriever:
    """A retriever by name, with bm25's parameters after colons."""
    plain, *numbers = name.split(":")
    options = dict(zip(("k1", "b"), map(float, numbers), strict=True)) if numbers else {}
    return open_retriever(plain, Context(questions, corpus=corpus, index=index), options)


def first_questions(path: Path, split: str | None, limit: int | None) -> list[Question]:
    """The questions of a split, or the first of them in the order of the hashes of their ids."""
    questions = [question for question in read_questions(path) if split is None or question.split == split]
    questions.sort(key=lambda question: _hash(question.id))
    return questions[:limit]


def recall(
    questions: Sequence[Question], retrieved: Sequence[Sequence[Passage]], by: str | None
) -> dict[str, list[float]]:
    """The value of each of `MEASURES`, of all questions and of each group by a characteristic."""
    run = [
        Prediction(question.id, retrieved=list(passages))
        for question, passages in zip(questions, retrieved, strict=True)
    ]
    groups = {"all": list(questions)}
    if by is not None:
        for question in questions:
            name = str(getattr(question, by, None) or question.characteristics.get(by))
            groups.setdefault(name, []).append(question)
    values = {}
    for name, members in groups.items():
        ids = {question.id for question in members}
        predictions = [prediction for prediction in run if prediction.id in ids]
        report = score(members, predictions, measures=MEASURES, confidence=None)
        values[name] = [report[measure].value or 0.0 for measure in MEASURES]
    return values


def retrieve(questions: Sequence[Question], retriever: Retriever) -> list[list[Passage]]:
    """The passages of each question, as many as the deepest measure needs."""
    return retriever.retrieve([asked(question) for question in questions], CUTS[-1])


def sampled_corpus(corpus: Corpus, questions: Sequence[Question], passages: int, out: Path) -> Corpus:
    """A corpus of the pages of the evidence and of others, drawn by their hashes, up to so many passages."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    files = {name: (corpus.folder / f"{name}.parquet").absolute() for name in ("passages", "pages")}
    gold = {
        evidence.passage.rpartition("__")[0]
        for question in questions
        for answer in question.answers
        for evidence in answer.evidence
        if evidence.passage
    }
    counts = Counter(map(str, pq.read_table(files["passages"], columns=["page"])["page"].to_pylist()))
    kept, total = [], 0
    for page in sorted(counts, key=lambda page: (page not in gold, _hash(page))):
        if page in gold or total + counts[page] <= passages:
            kept.append(page)
            total += counts[page]
    staging = out.with_name(f"{out.name}.staging")
    staging.mkdir(parents=True)
    for name, key in (("passages", "page"), ("pages", "id")):
        rows = pq.read_table(files[name])
        chosen = rows.filter(pc.is_in(rows[key], value_set=pa.array(kept)))
        pq.write_table(chosen, (staging / f"{name}.parquet").absolute())
    counts_of_tables = {**corpus.manifest["counts"], "passages": total}
    CORPUS_FOLDER.install(staging, out, {**corpus.manifest, "counts": counts_of_tables})
    return Corpus.open(out)


def _hash(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()
