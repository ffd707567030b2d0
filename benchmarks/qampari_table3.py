"""Answer and evidence recall of retrievers on any question set and corpus: QAMPARI's Table 3.

    python benchmarks/qampari_table3.py [SET --corpus DIR] [--index DIR] [--retrievers bm25,dense,hybrid]
        [--by kind]

Without a set, one is built from a generated world.
Parts after a colon set bm25's parameters: `bm25:0.9:0.4`. `--limit` takes the first questions in the order of
the hashes of their ids, and `--by kind` adds a row for every kind. `--sample 3000` makes a corpus of the
pages of the gold evidence and of other pages, drawn by their hashes, up to so many passages: a smaller
haystack for all retrievers alike, where encoding everything would take too long.
"""

import hashlib
import json
import tempfile
from argparse import Namespace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from _harness import Arguments, Figures, made_set, measured, run_benchmark
from rollcall.corpus import Corpus
from rollcall.questions import Passage, Prediction, Question, read_questions
from rollcall.score import score
from rollcall.systems import Asked, Context, Retriever, open_retriever
from rollcall.systems.interfaces import asked
from rollcall.systems.retrieve.fusion import Fusion

CUTS = (10, 25, 50, 100, 200)
MEASURES = [f"{name}@{cut}" for name in ("ARecall", "ERecall") for cut in CUTS]


def opened(name: str, corpus: Corpus, questions: list[Question], index: Path | None) -> Retriever:
    """A retriever by name, with bm25's parameters after colons."""
    plain, *numbers = name.split(":")
    options = dict(zip(("k1", "b"), map(float, numbers), strict=True)) if numbers else {}
    return open_retriever(plain, Context(questions, corpus=corpus, index=index), options)


def chosen(path: Path, split: str | None, limit: int | None) -> list[Question]:
    questions = [one for one in read_questions(path) if split is None or one.split == split]
    questions.sort(key=lambda one: hashlib.md5(one.id.encode()).hexdigest())
    return questions[:limit]


def rows(questions: list[Question], retriever: Retriever, by: str | None) -> dict[str, list[float]]:
    seen: list[Asked] = [asked(one) for one in questions]
    found: list[list[Passage]] = retriever.retrieve(seen, CUTS[-1])
    run = [Prediction(one.id, retrieved=passages) for one, passages in zip(seen, found, strict=True)]
    groups = {"all": questions}
    if by is not None:
        for one in questions:
            groups.setdefault(str(getattr(one, by, None) or one.characteristics.get(by)), []).append(one)
    rows_ = {}
    for name, members in groups.items():
        ids = {one.id for one in members}
        report = score(members, [one for one in run if one.id in ids], measures=MEASURES, confidence=None)
        rows_[name] = [report[measure].value or 0.0 for measure in MEASURES]
    return rows_


def sampled(corpus: Corpus, questions: list[Question], passages: int, out: Path) -> Corpus:
    """A corpus with the pages of the evidence and as many others as there is room for."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(corpus.folder / "passages.parquet")
    gold = {
        evidence.passage.rpartition("__")[0]
        for question in questions
        for answer in question.answers
        for evidence in answer.evidence
        if evidence.passage
    }
    counts = pc.value_counts(table["page"]).to_pylist()
    counts.sort(key=lambda one: (one["values"] not in gold, hashlib.md5(one["values"].encode()).hexdigest()))
    kept, total = [], 0
    for one in counts:
        if one["values"] in gold or total + one["counts"] <= passages:
            kept.append(one["values"])
            total += one["counts"]
    out.mkdir(parents=True)
    for name, key in (("passages", "page"), ("pages", "id")):
        every = pq.read_table(corpus.folder / f"{name}.parquet")
        chosen_rows = every.filter(pc.is_in(every[key], value_set=pa.array(kept)))
        pq.write_table(chosen_rows, out / f"{name}.parquet")
    manifest = {**corpus.manifest, "counts": {**corpus.manifest["counts"], "passages": total}}
    (out / "corpus.json").write_text(json.dumps(manifest))
    return Corpus.open(out)


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("questions", type=Path, nargs="?", metavar="SET")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="that of the set")
    parser.add_argument("--entities", type=int, default=3000, smoke=500, help="of a world, without SET")
    parser.add_argument("--index", type=Path)
    parser.add_argument("--retrievers", default="bm25,bm25:0.9:0.4")
    parser.add_argument("--split")
    parser.add_argument("--limit", type=int, smoke=20)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--by")
    return parser


def main(given: Namespace, figures: Figures) -> None:
    if bool(given.questions) != bool(given.corpus):
        raise SystemExit("a set needs its corpus: give SET and --corpus")
    with tempfile.TemporaryDirectory() as name:
        if given.questions is None:
            print(f"a set built from a generated world of {given.entities:,} entities")
            made = made_set(Path(name), given.entities, changes=["evidence.verifier=contrast"])
            given.questions, given.corpus = made / "set", made / "corpus"
        print_table(given, figures)


def print_table(given: Namespace, figures: Figures) -> None:
    questions = chosen(given.questions, given.split, given.limit)
    table = Table(title=f"{len(questions)} questions, recall in percent")
    for heading in ("retriever", *(f"A@{cut}" for cut in CUTS), *(f"E@{cut}" for cut in CUTS), "q/s"):
        table.add_column(heading, justify="left" if heading == "retriever" else "right")
    with Corpus.open(given.corpus) as corpus, tempfile.TemporaryDirectory() as name_:
        if given.sample is not None:
            corpus = sampled(corpus, questions, given.sample, Path(name_) / "corpus")
        ready: dict[str, Retriever] = {}
        for name in given.retrievers.split(","):
            parts = ("bm25+dense" if name == "hybrid" else name).split("+")
            for part in parts:
                ready.setdefault(part, opened(part, corpus, questions, given.index))
            retriever = ready[parts[0]] if len(parts) == 1 else Fusion(*(ready[part] for part in parts))
            seen = [asked(one) for one in questions]
            cost, _ = measured(lambda retriever=retriever, seen=seen: retriever.retrieve(seen, CUTS[-1]))
            rate = len(questions) / cost.seconds
            for group, values in rows(questions, retriever, given.by).items():
                figures[f"{name}, {group}"] = dict(zip(MEASURES, values, strict=True))
                label = retriever.name if group == "all" else f"  {group}"
                table.add_row(
                    label,
                    *(f"{100 * value:.1f}" for value in values),
                    f"{rate:.0f}" if group == "all" else "",
                )
    Console(width=130).print(table)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
