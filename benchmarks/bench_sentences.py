"""Compares sentence splitters: share of labelled boundaries found, false ones, and speed, in one run.

The labelled paragraphs stand in `sentences.txt`: one sentence a line, an empty line between paragraphs, a
`#` line above each kind of difficulty. Splitters that are not installed are left out and named.

    python benchmarks/bench_sentences.py [SPLITTER ...]    # those whose mistakes are printed, too
"""

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from _harness import Arguments, Figures, installed, measured, run_benchmark

Splitter = Callable[[str], list[str]]
LABELLED = Path(__file__).with_name("sentences.txt")


def paragraphs() -> list[tuple[str, list[str]]]:
    """Each labelled paragraph: the kind of its difficulty, and its sentences."""
    found: list[tuple[str, list[str]]] = []
    kind, sentences = "", []
    for line in [*LABELLED.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("#"):
            kind = line[1:].strip()
        elif line:
            sentences.append(line)
        elif sentences:
            found.append((kind, sentences))
            sentences = []
    return found


def ours() -> Splitter:
    from rollcall.text.sentences import split

    return lambda text: [text[start:end] for start, end in split(text)]


def nupunkt() -> Splitter:
    from nupunkt import sent_tokenize

    return sent_tokenize


def blingfire() -> Splitter:
    from blingfire import text_to_sentences

    return lambda text: text_to_sentences(text).split("\n")


def syntok() -> Splitter:
    from syntok import segmenter

    def split(text: str) -> list[str]:
        return [
            text[sentence[0].offset : sentence[-1].offset + len(sentence[-1].value)]
            for paragraph in segmenter.process(text)
            for sentence in paragraph
        ]

    return split


def pysbd() -> Splitter:
    import warnings

    warnings.simplefilter("ignore")
    from pysbd import Segmenter

    return Segmenter(language="en", clean=False).segment


SPLITTERS = {"rollcall": ours, "nupunkt": nupunkt, "blingfire": blingfire, "syntok": syntok, "pysbd": pysbd}


def ends(sentences: list[str]) -> set[int]:
    """Where sentences end, counted in characters that are not white space."""
    found, length = set(), 0
    for sentence in sentences:
        length += len("".join(sentence.split()))
        found.add(length)
    return found - {length}


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("mistakes", nargs="*", metavar="SPLITTER", choices=[*SPLITTERS, []])
    parser.add_argument("--rounds", type=int, default=50, smoke=1)
    return parser


def main(options: Namespace, figures: Figures) -> None:
    labelled = paragraphs()
    kinds = list(dict.fromkeys(kind for kind, _ in labelled))
    bulk = [" ".join(sentences) for _, sentences in labelled]
    size = sum(len(text.encode()) for text in bulk)
    print(f"{len(labelled)} paragraphs, {sum(len(sentences) for _, sentences in labelled)} sentences")
    print(
        f"{'':10}"
        + "".join(f"{kind[:13]:>14}" for kind in kinds)
        + f"{'all':>8}{'missed':>8}{'false':>7}{'MB/s':>8}"
    )
    for name, make in SPLITTERS.items():
        if not installed(name):
            continue
        split = make()
        right = {kind: [0, 0] for kind in kinds}
        missed = false = 0
        for (kind, sentences), text in zip(labelled, bulk, strict=True):
            wanted, given = ends(sentences), ends(split(text))
            right[kind][0] += wanted == given
            right[kind][1] += 1
            missed += len(wanted - given)
            false += len(given - wanted)
            if wanted != given and name in options.mistakes:
                print("  ", [part.strip() for part in split(text)])
        rounds = max(options.rounds // 10, 1) if name in ("syntok", "pysbd") else options.rounds
        cost, _ = measured(lambda rounds=rounds, split=split: [split(text) for text in rounds * bulk])
        speed = rounds * size / 1e6 / cost.seconds
        shares = "".join(f"{good:>9}/{all_:<4}" for good, all_ in right.values())
        total = sum(good for good, _ in right.values()) / len(labelled)
        figures[name] = {"right": total, "missed": missed, "false": false, "megabytes a second": speed}
        print(f"{name:10}{shares}{total:>8.1%}{missed:>8}{false:>7}{speed:>8.2f}")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
