"""How fast bm25 is, against `bm25s` with numba, on the same passages and the same questions.

    python benchmarks/bench_retrieval.py [--corpus DIR] [--questions 500] [--rounds 3]
    python benchmarks/bench_retrieval.py --passages 200000        # texts drawn from a Zipf distribution

One run measures both: from texts to an index on disk, questions a second for the top 200, and the time of a
cold process from its start to the first answer; each in turns, and the medians count. The corpus is that of
the real pages and tables beside the project (148,000 passages), or one that is given; where there is none,
20,000 texts are drawn.
"""

import json
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from _harness import (
    Arguments,
    Cost,
    Figures,
    in_turns,
    installed,
    measured,
    measured_command,
    median_cost,
    real_data,
    run_benchmark,
)
from rollcall.corpus import Corpus, make_corpus
from rollcall.systems.retrieve.bm25 import Bm25
from rollcall.systems.retrieve.store import IndexFolder

K = 200
COLD = {
    "rollcall": """
import json, sys
from pathlib import Path
from rollcall.corpus import Corpus
from rollcall.systems.interfaces import Asked
from rollcall.systems.retrieve.bm25 import Bm25
from rollcall.systems.retrieve.store import IndexFolder
indexes = IndexFolder(Corpus.open(Path(sys.argv[1])), Path(sys.argv[2]))
parameters = json.loads(sys.argv[4])
found = Bm25(indexes, **parameters).retrieve([Asked("1", sys.argv[3])], 200)
assert found[0]
""",
    "bm25s": """
import sys, bm25s
index = bm25s.BM25.load(sys.argv[1], load_corpus=True, mmap=True)
index.backend = "numba"
tokens = bm25s.tokenize([sys.argv[2]], stopwords="en", show_progress=False)
found = index.retrieve(tokens, k=200, show_progress=False)
assert len(found[0][0])
""",
}


def texts_by_chance(count: int) -> list[str]:
    """Passages of 40 to 100 words, each word as often as its rank says."""
    chance = np.random.default_rng(7)
    vocabulary = np.array(
        [f"{stem}{number}" for number in range(12_500) for stem in ("ra", "ko", "ti", "mel")]
    )
    weights = 1 / np.arange(1, len(vocabulary) + 1)
    lengths = chance.integers(40, 100, count)
    drawn = vocabulary[chance.choice(len(vocabulary), int(lengths.sum()), p=weights / weights.sum())]
    return [" ".join(part) for part in np.split(drawn, np.cumsum(lengths)[:-1])]


def drawn_corpus(folder: Path, passages: int) -> Corpus:
    """A corpus of drawn texts, one page a passage."""
    with (folder / "pages.jsonl").open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts_by_chance(passages)):
            title = " ".join(text.split()[:2])
            file.write(json.dumps({"id": f"{number:08d}", "title": title, "text": text}) + "\n")
    return make_corpus([folder / "pages.jsonl"], folder / "corpus", show_progress=False)


def opened_corpus(options: Namespace, folder: Path) -> Corpus:
    pages, tables = real_data("pages.jsonl.gz"), real_data("tables.jsonl.gz")
    if options.corpus:
        print(f"the corpus {options.corpus}")
        return Corpus.open(options.corpus)
    if options.passages is None and pages and tables:
        print(f"a corpus of {pages} and {tables}")
        return make_corpus([pages, tables], folder / "corpus", show_progress=False)
    print("a corpus of drawn texts")
    return drawn_corpus(folder, options.passages or 20_000)


def questions_about(texts: list[str], count: int) -> list[str]:
    """Eight words of a passage each."""
    chance = np.random.default_rng(8)
    chosen = (texts[number].split() for number in chance.integers(0, len(texts), count))
    return [" ".join(chance.permutation(words)[:8]) for words in chosen]


class Rollcall:
    """Indexing and asking by Rollcall, with the default parameters (k1 1.2, b 0.75) or others."""

    def __init__(self, corpus: Corpus, folder: Path, questions: list[str], **parameters: float) -> None:
        self._corpus, self._folder, self._questions = corpus, folder, questions
        self._parameters, self._indexed = parameters, 0

    def index(self) -> Cost:
        """Each time into a folder of its own."""
        self._indexed += 1
        self.place = self._folder / f"rollcall{len(self._parameters)}-{self._indexed}"
        indexes = IndexFolder(self._corpus, self.place, jobs=1)  # so that all work is seen
        cost, self._retriever = measured(lambda: Bm25(indexes, progress=False, **self._parameters))
        return cost

    def ask(self) -> Cost:
        cost, ranked = measured(lambda: self._retriever.rank(self._questions, K))
        assert all(len(numbers) for numbers, _ in ranked)
        return cost

    def cold(self) -> Cost:
        command = [sys.executable, "-c", COLD["rollcall"], self._corpus.folder, self.place]
        return measured_command([*command, self._questions[0], json.dumps(self._parameters)])


class Bm25s:
    """The same by bm25s with numba, on as many threads as there are cores."""

    def __init__(self, texts: list[str], folder: Path, questions: list[str]) -> None:
        self._texts, self._folder, self._questions = texts, folder / "bm25s", questions

    def index(self) -> Cost:
        import bm25s

        def make() -> Any:
            index = bm25s.BM25(backend="numba", k1=1.2, b=0.75)
            index.index(bm25s.tokenize(self._texts, stopwords="en", show_progress=False), show_progress=False)
            index.save(str(self._folder), corpus=self._texts)
            return index

        cost, self._index = measured(make)
        return cost

    def ask(self) -> Cost:
        import bm25s

        def ask() -> Any:
            tokens = bm25s.tokenize(self._questions, stopwords="en", show_progress=False)
            return self._index.retrieve(tokens, k=K, show_progress=False, n_threads=0)

        return measured(ask)[0]

    def cold(self) -> Cost:
        return measured_command([sys.executable, "-c", COLD["bm25s"], self._folder, self._questions[0]])


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--passages", type=int, smoke=1000, help="draw so many texts")
    parser.add_argument("--corpus", type=Path, metavar="DIR")
    parser.add_argument("--questions", type=int, default=500, smoke=10)
    parser.add_argument("--rounds", type=int, default=3, smoke=1)
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = opened_corpus(options, folder)
        texts = pq.read_table(corpus.folder / "passages.parquet", columns=["text"])["text"].to_pylist()
        questions = questions_about(texts, options.questions)
        print(f"{len(texts):,} passages, {len(questions)} questions of eight words, top {K}")
        systems: dict[str, Any] = {
            "rollcall": Rollcall(corpus, folder, questions),
            "exact postings": Rollcall(corpus, folder, questions, k1=0.9, b=0.4),
        }
        if installed("bm25s", "numba"):
            systems["bm25s"] = Bm25s(texts, folder, questions)

        def medians(step: Callable[[Any], Cost]) -> dict[str, Cost]:
            ways = {name: partial(step, system) for name, system in systems.items()}
            return {name: median_cost(costs) for name, costs in in_turns(ways, options.rounds).items()}

        indexing = medians(lambda system: system.index())
        first = {name: system.ask() for name, system in systems.items()}  # numba compiles what it meets
        asking = medians(lambda system: system.ask())
        cold = medians(lambda system: system.cold())
    count = len(questions)
    rows = {
        "index, seconds": {name: cost.seconds for name, cost in indexing.items()},
        "index, core-seconds": {name: cost.core_seconds for name, cost in indexing.items()},
        "questions a second": {name: count / cost.seconds for name, cost in asking.items()},
        "questions a core-second": {name: count / cost.core_seconds for name, cost in asking.items()},
        "slower at first, seconds": {name: first[name].seconds - asking[name].seconds for name in systems},
        "cold start, seconds": {name: cost.seconds for name, cost in cold.items()},
        "cold start, core-seconds": {name: cost.core_seconds for name, cost in cold.items()},
    }
    figures |= {"passages": len(texts), **rows}
    print(f"{'':26}" + "".join(f"{name:>16}" for name in systems))
    for row, values in rows.items():
        print(f"{row:26}" + "".join(f"{values[name]:16.2f}" for name in systems))


if __name__ == "__main__":
    run_benchmark(arguments(), main)
