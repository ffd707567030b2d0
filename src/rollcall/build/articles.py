"""Which names take `the`, by the sentences of the corpus: `the Easter Rising`, `Evil Empire`.

No rule knows the article of every name. Text does: wherever a name is the whole noun phrase, it has its
article or has none. Only mentions count after which no further noun can follow. A name that ends in a common
noun (`H8 housing`) and that text speaks of as one of many (`an H8 housing`, `two H8 housings`) takes it, too.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable

from rollcall.build.inputs import Inputs
from rollcall.build.stage import Work
from rollcall.corpus.titles import without_parenthesis
from rollcall.english.function_words import (
    AUXILIARIES,
    CONJUNCTIONS,
    FURTHER_PREPOSITIONS,
    PREPOSITIONS,
    RELATIVES,
)
from rollcall.graph import Graph
from rollcall.tables.corpus import Sentences
from rollcall.tables.table import Rows, Table, shaped, unbound

_CAPITAL = re.compile(r"(?<![\w'’-])[A-Z0-9][\w'’.-]*")
_BEHIND = re.compile(r"\s?[,.;:()]|\s?$|\s(\w+)")
_NO_NOUNS = (
    PREPOSITIONS | FURTHER_PREPOSITIONS | CONJUNCTIONS | RELATIVES | AUXILIARIES | {"that", "when", "since"}
)
"""Words that begin something new after a name."""
_ONE_OF_MANY = re.compile(r"(?:\b(?:an?|one|each|every|another) )$", re.IGNORECASE)
_LEAST = 2
"""How many mentions decide."""
_MOSTLY = 0.7


class SentenceTexts(Table):
    """The text of a sentence."""

    text = Sentences.text


def with_articles(graph: Graph, entities: Collection[str], inputs: Inputs, work: Work) -> dict[str, str]:
    """The names of those entities for which the corpus decides, with their article or without."""
    if inputs.given_corpus is None:
        return {}
    labels = {entity: without_parenthesis(graph.label(entity)) for entity in entities}
    plain = {label for label in labels.values() if _CAPITAL.match(label) and not label.startswith("The ")}
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read_folder("corpus", inputs.corpus, Sentences)
        texts = (str(text) for batch in bench.stream(_texts) for text in batch.column("text").to_pylist())
        counts = article_counts(plain, texts)
    found = {}
    for entity, label in labels.items():
        the, bare = counts[label, "the"], counts[label, ""]
        if counts[label, "a"] and label.rpartition(" ")[2].isalpha() and label.rpartition(" ")[2].islower():
            found[entity] = f"the {label}"
        elif the + bare >= _LEAST and max(the, bare) >= _MOSTLY * (the + bare):
            found[entity] = f"the {label}" if the > bare else label
    return found


def article_counts(names: Iterable[str], texts: Iterable[str]) -> Counter[tuple[str, str]]:
    """How often texts have each name with `the`, as one of many (`a`), and without an article (empty)."""
    by_word: dict[str, list[str]] = {}
    for name in names:
        found = _CAPITAL.match(name)
        if found:
            by_word.setdefault(found[0], []).append(name)
    counts: Counter[tuple[str, str]] = Counter()
    for text in texts:
        for word in _CAPITAL.finditer(text):
            start = word.start()
            for name in by_word.get(word[0].rstrip(".,"), ()) or by_word.get(word[0], ()):
                if not text.startswith(name, start):
                    continue
                end = start + len(name)
                if _is_whole(text, start, end):
                    before = text[max(0, start - 8) : start]
                    if before.endswith(("the ", "The ")):
                        counts[name, "the"] += 1
                    elif _ONE_OF_MANY.search(before):
                        counts[name, "a"] += 1
                    elif before.endswith(" "):
                        counts[name, ""] += 1
                elif text.startswith("s", end) and _is_whole(text, start, end + 1):
                    counts[name, "a"] += 1
    return counts


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a name is no part of a longer one: a mark or a function word follows, no capital precedes."""
    behind = _BEHIND.match(text, end)
    if behind is None or (behind[1] and behind[1] not in _NO_NOUNS):
        return False
    words = text[:start].rsplit(None, 2)[-1:]
    return not words or words[0] in ("The",) or not words[0][:1].isupper()


def _texts() -> Rows[SentenceTexts]:
    return shaped(SentenceTexts, unbound(Sentences, "corpus_sentences").select("text"))
