"""How fast bm25 is, against `bm25s` with numba, on the same passages and the same questions.

One run measures both: from texts to an index on disk, questions a second for the top 200, and the time of a
cold process from its start to the first answer. Texts are drawn from a Zipf distribution, or taken from a
corpus (`--corpus DIR`), as often as needed. `--passages 200000` is the size the project is held to.
"""

import argparse
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

K = 200
COLD = {
    "rollcall": """
import sys
from pathlib import Path
from rollcall.corpus import Corpus
from rollcall.systems.interfaces import Asked
from rollcall.systems.retrieve.bm25 import Bm25
from rollcall.systems.retrieve.store import IndexFolder
found = Bm25(IndexFolder(Corpus.open(Path(sys.argv[1])))).retrieve([Asked("1", sys.argv[2])], 200)
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


def texts_of(folder: Path, count: int) -> list[str]:
    texts = pq.read_table(folder / "passages.parquet", columns=["text"])["text"].to_pylist()
    return (texts * (count // len(texts) + 1))[:count]


def write_corpus(folder: Path, texts: list[str]) -> None:
    """The tables that retrieval reads, one page a passage."""
    folder.mkdir()
    ids = [f"{number:08d}" for number in range(len(texts))]
    titles = [" ".join(text.split()[:2]) for text in texts]
    entities = pa.nulls(len(ids), pa.string())
    pq.write_table(pa.table({"id": ids, "title": titles, "entity": entities}), folder / "pages.parquet")
    numbers = pa.array(np.zeros(len(ids), dtype=np.int32))
    pq.write_table(pa.table({"page": ids, "number": numbers, "text": texts}), folder / "passages.parquet")
    (folder / "corpus.json").write_text(json.dumps({"format": 1, "counts": {"passages": len(ids)}}))


def questions_about(texts: list[str], count: int) -> list[str]:
    """Eight words of a passage each."""
    chance = np.random.default_rng(8)
    chosen = (texts[number].split() for number in chance.integers(0, len(texts), count))
    return [" ".join(chance.permutation(words)[:8]) for words in chosen]


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds on the clock, of the processor (which a busy machine does not change), and the result."""
    start, before = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - start, time.process_time() - before, result


def cold(program: str, *arguments: str) -> tuple[float, float]:
    """Seconds on the clock and of the processor, the best of two."""
    times = []
    for _ in range(2):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([sys.executable, "-c", program, *arguments], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(
            (time.perf_counter() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        )
    return min(one for one, _ in times), min(one for _, one in times)


def measure_rollcall(folder: Path, questions: list[str]) -> dict[str, float]:
    from rollcall.corpus import Corpus
    from rollcall.systems.retrieve.bm25 import Bm25
    from rollcall.systems.retrieve.store import IndexFolder

    indexes = IndexFolder(Corpus.open(folder))
    indexing, indexing_work, retriever = timed(lambda: Bm25(indexes, progress=False))
    asking, asking_work, found = timed(lambda: retriever.rank(questions, K))
    exact_indexing, exact_indexing_work, exact = timed(lambda: Bm25(indexes, k1=0.9, b=0.4, progress=False))
    exact_asking, exact_work, _ = timed(lambda: exact.rank(questions, K))
    assert all(len(numbers) for numbers, _ in found)
    clock, processor = cold(COLD["rollcall"], str(folder), questions[0])
    return {
        "index, seconds": indexing,
        "index, core-seconds": indexing_work,
        "questions a second": len(questions) / asking,
        "questions a core-second": len(questions) / asking_work,
        "cold start, seconds": clock,
        "cold start, core-seconds": processor,
        "exact: index, core-seconds": exact_indexing_work,
        "exact: index, seconds": exact_indexing,
        "exact: questions a second": len(questions) / exact_asking,
        "exact: questions a core-second": len(questions) / exact_work,
    }


def measure_bm25s(folder: Path, texts: list[str], questions: list[str]) -> dict[str, float]:
    import bm25s

    def make() -> Any:
        index = bm25s.BM25(backend="numba", k1=1.2, b=0.75)
        index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
        index.save(str(folder), corpus=texts)
        return index

    indexing, indexing_work, index = timed(make)

    def ask() -> Any:
        tokens = bm25s.tokenize(questions, stopwords="en", show_progress=False)
        return index.retrieve(tokens, k=K, show_progress=False, n_threads=0)

    first, _, _ = timed(ask)  # numba compiles what it meets for the first time
    asking, asking_work, _ = timed(ask)
    clock, processor = cold(COLD["bm25s"], str(folder), questions[0])
    return {
        "index, seconds": indexing,
        "index, core-seconds": indexing_work,
        "questions a second": len(questions) / asking,
        "questions a core-second": len(questions) / asking_work,
        "compiling, seconds": first - asking,
        "cold start, seconds": clock,
        "cold start, core-seconds": processor,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--corpus", type=Path)
    given = parser.parse_args()
    texts = texts_of(given.corpus, given.passages) if given.corpus else texts_by_chance(given.passages)
    questions = questions_about(texts, given.questions)
    print(f"{len(texts):,} passages, {len(questions)} questions of eight words, top {K}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(folder / "corpus", texts)
        ours = measure_rollcall(folder / "corpus", questions)
        theirs = {}
        if importlib.util.find_spec("bm25s") and importlib.util.find_spec("numba"):
            theirs = measure_bm25s(folder / "bm25s", texts, questions)
        else:
            print("bm25s and numba are not installed: only Rollcall is measured")
    print(f"{'':32}{'rollcall':>10}{'bm25s':>10}  ratio")
    for what in dict.fromkeys([*ours, *theirs]):
        one, other = ours.get(what), theirs.get(what)
        ratio = f"  {one / other:.3g}" if one is not None and other is not None else ""
        shown = [f"{'' if value is None else f'{value:.2f}':>10}" for value in (one, other)]
        print(f"{what:32}{''.join(shown)}{ratio}")


if __name__ == "__main__":
    main()
