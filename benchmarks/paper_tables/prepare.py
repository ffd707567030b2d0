"""The first stage: training examples of every set for every retriever, and the passages to encode.

What is made here is all that the next stage reads. A folder that is there is not made again.
"""

import lzma
from collections.abc import Sequence
from pathlib import Path

import msgspec

import rollcall
from paper_tables import names
from paper_tables.place import DEPTH, Data, Place, Source
from paper_tables.profile import PROFILES
from paper_tables.unseen import spread
from rollcall.questions import Question
from rollcall.systems import Context

Questions = str | Sequence[Question]


def prepare(place: Place, data: Data) -> None:
    """Make all training examples and the files of passages."""
    profile = PROFILES[data.profile]
    place.save_data(data)
    depth = {"qampari": profile.k, "romqa": profile.other_k, "single": profile.other_k}
    for number in data.learn:
        source = data.sources[number]
        for kind, k in depth.items():
            _examples(place.examples / f"{kind}-bm25.{number}", source, source.sets[kind], "bm25", k)
        renamed = _page_named(source)
        _examples(place.examples / f"names-bm25.{number}", source, renamed, "bm25", profile.other_k)
    tested = data.sources[data.test]
    for kind, k in depth.items():
        _examples(place.asked(f"{kind}-bm25"), tested, tested.sets[kind], "bm25", k, "test")
    _examples(place.asked("qampari-oracle"), tested, tested.sets["qampari"], "oracle", DEPTH, "test")
    learned = data.sources[data.learn[0]]
    dev = spread(names.questions_of(learned.sets["qampari"], ("dev",)), data.asked)
    for retriever, k in (("bm25", profile.k), ("oracle", DEPTH)):
        folder = place.asked(f"qampari-{retriever}", "dev")
        _examples(folder, learned, dev, retriever, k, "dev")
    for number in sorted({*data.learn, data.test}):
        _passages(place.passages(number), data.sources[number])


def _examples(
    out: Path, source: Source, questions: Questions, retriever: str, k: int, asked: str | None = None
) -> None:
    """Training examples to learn from, or of one split to ask."""
    if out.is_dir():
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    rollcall.train(
        "mention-scorer",
        questions,
        out=out,
        corpus=source.corpus,
        graph=source.graph,
        retriever=retriever,
        k=k,
        split=asked or "train",
        dev=None if asked else "dev",
        prepare=True,
    )


def _page_named(source: Source) -> list[Question]:
    return names.with_names(names.questions_of(source.sets["single"]), names.page_names(source.corpus))


def _passages(out: Path, source: Source) -> None:
    """All passages of a corpus, in one compressed file."""
    if out.is_file():
        return
    encoder, partial = msgspec.json.Encoder(), out.with_suffix(".partial")
    with Context(corpus=source.corpus) as context, lzma.open(partial, "wb", preset=1) as stream:
        store = context.store
        for number in range(len(store)):
            stream.write(encoder.encode(store.passage(number)) + b"\n")
    partial.rename(out)
