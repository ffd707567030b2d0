"""Makes the training examples of the packaged retriever `learned`, and the texts that it has to copy.

    python models/training/retriever_exercises.py OUT --source SET GRAPH CORPUS SPLITS LIMIT --test SET ...

Sources and tested sets are named as in `sources.py`. OUT gets a folder of examples for each source; of the
first one, a tenth of the relations is for dev. `texts.jsonl.xz` has the questions of all, and all passages
of their corpora.
"""

import argparse
import lzma
import zlib
from pathlib import Path

import msgspec

import rollcall
from rollcall.questions import Question
from rollcall.systems import Context
from sources import learned_from

TEXTS = "texts.jsonl.xz"
_DEV = 10


def _split(questions: list[Question], dev: bool) -> list[Question]:
    """All questions to learn from, or a tenth of their relations for dev."""
    return [
        msgspec.structs.replace(one, split="dev" if dev and _fold(one) == 0 else "train") for one in questions
    ]


def _fold(question: Question) -> int:
    return zlib.crc32(",".join(question.relations).encode()) % _DEV


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--source", nargs=5, action="append", required=True)
    parser.add_argument("--test", nargs=5, action="append", default=[])
    parser.add_argument("--k", type=int, default=100)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    encoder, read = msgspec.json.Encoder(), set()
    with lzma.open(given.out / TEXTS, "wb", preset=3) as texts:
        for number, source in enumerate(given.source):
            _, graph, corpus, _, limit = source
            questions = learned_from(source, given.test)[: int(limit) or None]
            rollcall.train(
                "dpr",
                _split(questions, dev=number == 0),
                out=given.out / f"exercises-{number}",
                corpus=corpus,
                graph=graph,
                k=given.k,
                dev="dev" if number == 0 else None,
                prepare=True,
            )
            for one in questions:
                texts.write(encoder.encode(one.question) + b"\n")
            if corpus not in read:
                read.add(corpus)
                with Context(corpus=corpus) as context:
                    for text in context.store.indexed_texts():
                        texts.write(encoder.encode(text) + b"\n")
            print(f"{source[0]}: {len(questions)} questions")


if __name__ == "__main__":
    main()
