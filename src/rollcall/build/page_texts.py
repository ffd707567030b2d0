"""What pages say about names and headings: `the Order of Norr`, `drama film`, the register of a column.

A title begins with a capital and has no article, so a label alone does not say how running text writes it.
The page about the thing does. A heading such as `name on the register` leaves out which register it is; the
pages of what stands below it name it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from ibis import _

from rollcall.build.inputs import Inputs
from rollcall.build.stage import Work
from rollcall.corpus.titles import without_parenthesis
from rollcall.evidence.names.common_nouns import CAPITALISED, is_common_noun
from rollcall.graph import Graph
from rollcall.mine.mining import give_ids, ids
from rollcall.tables.corpus import Pages, Sentences
from rollcall.tables.table import Rows, Table, shaped, unbound
from rollcall.wording.class_nouns import class_noun
from rollcall.wording.ends import members_of

_CAPITALISED = re.compile(CAPITALISED.replace(r"\z", r"\Z"))
_ENTRIES = re.compile(r"entry ((?:on|in|at|from|under) the )([a-z]+)$")
_SUBJECT = re.compile(r",| [(A-Z]| (?:is|are|was|were|has|have|had|or|refers|represents|took|lies|runs)\b")
"""What follows a name that is the subject of its page's first sentence: no further noun."""
_NAMED_SO = 1 / 3
"""The share of a class's members whose pages must name the thing that its heading leaves out."""


class PageTexts(Table):
    """A sentence of the page about an entity."""

    entity = Pages.entity
    number = Sentences.number
    text = Sentences.text


def page_texts(
    entities: Collection[str], inputs: Inputs, work: Work, *, first: bool = False
) -> dict[str, list[str]]:
    """The sentences of the pages about some entities, or only the first of each page."""
    if inputs.given_corpus is None or not entities:
        return {}
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read_folder("corpus", inputs.corpus, Pages, Sentences)
        give_ids(bench, "wanted", sorted(entities))
        read = _first_texts if first else _texts
        rows = sorted((row["entity"], row["number"], row["text"]) for row in bench.records(read))
    return {entity: [text for *_place, text in own] for entity, own in groupby(rows, key=itemgetter(0))}


def names_in_texts(graph: Graph, entities: Iterable[str], inputs: Inputs, work: Work) -> dict[str, str]:
    """The names of entities as their own pages write them, where that is not as in their titles."""
    labels = {entity: without_parenthesis(graph.label(entity)) for entity in entities}
    found = {}
    for entity, (sentence, *_others) in page_texts(labels, inputs, work, first=True).items():
        label = labels[entity]
        if sentence.startswith(f"The {label}") and _SUBJECT.match(sentence, 4 + len(label)):
            found[entity] = f"the {label}"
    nouns = [one for one, label in labels.items() if one not in found and _CAPITALISED.fullmatch(label)]
    for entity, sentences in page_texts(nouns, inputs, work).items():
        if is_common_noun(labels[entity], list(enumerate(sentences))):
            found[entity] = labels[entity].lower()
    return found


def full_headings(graph: Graph, classes: Iterable[str], inputs: Inputs, work: Work) -> dict[str, str]:
    """Nouns of the classes of entries on something that the pages of their members name in full."""
    found = {}
    for class_id in classes:
        noun = class_noun(graph.class_label(class_id), class_id).one
        if listed := _ENTRIES.fullmatch(noun):
            members = page_texts(members_of(graph, class_id), inputs, work)
            if name := _full_name(listed[2], members.values()):
                found[class_id] = f"entry {listed[1]}{name}"
    return found


def _full_name(noun: str, pages: Collection[list[str]]) -> str:
    """The name with a noun in it that most pages have: the National Register of Norr for `register`."""
    word = r"[A-Z][\w'’-]+"
    pattern = re.compile(rf"\bthe ((?:{word} )*{noun.title()}(?: (?:of|for) {word}(?: {word})*)?)")
    counts = Counter(name for sentences in pages for name in {*_all_found(pattern, sentences)})
    name, times = min(counts.items(), key=lambda one: (-one[1], one[0]), default=("", 0))
    return name if " " in name and times >= _NAMED_SO * len(pages) else ""


def _all_found(pattern: re.Pattern[str], sentences: Iterable[str]) -> Iterator[str]:
    for sentence in sentences:
        yield from pattern.findall(sentence)


def _first_texts() -> Rows[PageTexts]:
    return shaped(PageTexts, _texts().filter(_.number == 0))


def _texts() -> Rows[PageTexts]:
    pages = unbound(Pages, "corpus_pages").select("entity", page="id")
    pages = pages.semi_join(ids("wanted"), pages.entity == ids("wanted").id)
    sentences = unbound(Sentences, "corpus_sentences").select("page", "number", "text")
    return shaped(PageTexts, pages.join(sentences, "page").order_by(_.entity, _.number, _.text))
