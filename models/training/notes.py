"""Writes the pages of a corpus as notes about several things, for reading text without a page for each thing.

    python models/training/notes.py CORPUS --out notes.jsonl [--pages 4]

A note has the text of some pages. No title says what it is about, so that a sentence which does not name the
thing of its page is given its name.
"""

import argparse
import random
from pathlib import Path

import msgspec

from rollcall.systems import Context
from rollcall.text.sentences import split


def note(number: int, pages: list[tuple[str, list[str]]]) -> dict[str, str]:
    """A note with the passages of some pages, which are given with their titles."""
    paragraphs = []
    for title, passages in pages:
        sentences = [text[start:end] for text in passages for start, end in split(text)]
        paragraphs.append(" ".join(one if title in one else f"{title}: {one}" for one in sentences))
    return {"id": f"note-{number}", "title": f"Note {number}", "text": "\n\n".join(paragraphs)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=4, help="in a note")
    given = parser.parse_args()
    pages: dict[str, tuple[str, list[str]]] = {}
    with Context(corpus=given.corpus) as context:
        for number in range(len(context.store)):
            one = context.store.passage(number)
            _, texts = pages.setdefault(one.id.rpartition("__")[0], (one.title or "", []))
            texts.append(one.text or "")
    order = list(pages.values())
    random.Random(0).shuffle(order)
    with given.out.open("wb") as stream:
        for number, start in enumerate(range(0, len(order), given.pages)):
            stream.write(msgspec.json.encode(note(number, order[start : start + given.pages])) + b"\n")


if __name__ == "__main__":
    main()
