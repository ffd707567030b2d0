"""The nouns of the ends of relations in a build: from the graph's types, and from the pages of a corpus."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from ibis import _

from rollcall.build.stage import Inputs, Work
from rollcall.corpus.lists import without_parenthesis
from rollcall.evidence.names import CAPITALISED, is_capitalised_inside, is_common_noun, is_mostly_small
from rollcall.graph import Graph
from rollcall.mine.joins import give_ids, ids
from rollcall.mine.lists.columns import tidy_header
from rollcall.query import Entity, Query
from rollcall.tables.corpus import Pages, PageTables, Sentences
from rollcall.tables.table import DeclaredTable, Rows, shaped, unbound
from rollcall.text.nouns import head_word, is_plural, plural
from rollcall.text.sentences import described_noun
from rollcall.text.words import AUXILIARIES, CONJUNCTIONS, FURTHER_PREPOSITIONS, PREPOSITIONS, RELATIVES
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.answer_nouns import entities_asked_about
from rollcall.wording.ends import EndNouns, better_name, described_as, members_of
from rollcall.wording.frames import is_mass, shape_of
from rollcall.wording.naming import takes_the
from rollcall.wording.nouns import class_noun

# Which names take `the`, by the sentences of the corpus: `the Easter Rising`, `Evil Empire`. No rule
# knows the article of every name. Text does: where a name is the whole noun phrase, it has its
# article or has none. Only mentions count after which no further noun can follow. A name that ends in a
# common noun (`H8 housing`) and that text speaks of as one of many (`an H8 housing`, `two H8 housings`)
# takes it, too.

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
_LEAST_COMMON = 3
"""How many members of a class must be common nouns for others to be taken for ones."""


class SentenceTexts(DeclaredTable):
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
    names = {}
    for entity, label in labels.items():
        the, bare = counts[label, "the"], counts[label, ""]
        if counts[label, "a"] and label.rpartition(" ")[2].isalpha() and label.rpartition(" ")[2].islower():
            names[entity] = f"the {label}"
        elif the + bare >= _LEAST and max(the, bare) >= _MOSTLY * (the + bare):
            names[entity] = f"the {label}" if the > bare else label
    return names


def article_counts(names: Iterable[str], texts: Iterable[str]) -> Counter[tuple[str, str]]:
    """How often texts have each name with `the`, as one of many (`a`), and without an article (empty)."""
    by_word: dict[str, list[str]] = {}
    for name in names:
        first_word = _CAPITAL.match(name)
        if first_word:
            by_word.setdefault(first_word[0], []).append(name)
    counts: Counter[tuple[str, str]] = Counter()
    for text in texts:
        for word in _CAPITAL.finditer(text):
            start = word.start()
            for name in by_word.get(word[0].rstrip(".,"), ()) or by_word.get(word[0], ()):
                if not text.startswith(name, start):
                    continue
                end = start + len(name)
                if _is_whole(text, start, end):
                    preceding = text[max(0, start - 8) : start]
                    if preceding.endswith(("the ", "The ")):
                        counts[name, "the"] += 1
                    elif _ONE_OF_MANY.search(preceding):
                        counts[name, "a"] += 1
                    elif preceding.endswith(" "):
                        counts[name, ""] += 1
                elif text.startswith("s", end) and _is_whole(text, start, end + 1):
                    counts[name, "a"] += 1
    return counts


_LEAST_COUNTED = 3
_DEFINITE = frozenset(("the", "this", "that", "its", "your", "his", "her", "their"))
_MOST_SENTENCES = 1000
_MOST_NOUNS = 500
"""So many common nouns are looked for at most: a graph with more of them is not a small table."""


def small_names(
    graph: Graph, lexicon: Lexicon, queries: Sequence[Query], inputs: Inputs, work: Work
) -> dict[str, str]:
    """Objects of unknown relations that a table capitalises and text does not: `Barbell` is a barbell.

    Only values without a page of their own: those with one are judged by it.
    """
    labels = {entity: graph.label(entity) for entity in _unknown_objects(graph, lexicon, queries)}
    labels = {entity: label for entity, label in labels.items() if _CAPITALISED.fullmatch(label)}
    with_page = page_texts(labels, inputs, work, first=True).keys()
    labels = {entity: label for entity, label in labels.items() if entity not in with_page}
    if inputs.given_corpus is None or not 0 < len(labels) <= _MOST_NOUNS:
        return {}
    names = {name: label for label in labels.values() for name in (label, label.lower())}
    pattern = re.compile(
        rf"(?<![\w'’-])(?:{'|'.join(map(re.escape, sorted(names, reverse=True)))})(?![\w'’-])"
    )
    sentences: dict[str, list[str]] = {}
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read_folder("corpus", inputs.corpus, Sentences)
        for batch in bench.stream(_texts):
            for text in map(str, batch.column("text").to_pylist()):
                for label in {names[name] for name in pattern.findall(text)}:
                    sentences.setdefault(label, []).append(text)
    return {
        entity: label.lower()
        for entity, label in labels.items()
        if is_mostly_small(label, sentences.get(label, [])[:_MOST_SENTENCES])
    }


def _unknown_objects(graph: Graph, lexicon: Lexicon, queries: Sequence[Query]) -> list[str]:
    """The entities that are objects of relations which the lexicon does not know."""
    unknown = set(worded_by_label(graph, lexicon, _all(query.relations for query in queries)))
    edges = (edge for query in queries for edge in query.edges if edge.relation in unknown)
    return sorted({edge.object.id for edge in edges if isinstance(edge.object, Entity)})


def counted_nouns(
    graph: Graph,
    lexicon: Lexicon,
    queries: Sequence[Query],
    inputs: Inputs,
    work: Work,
    names: Mapping[str, str],
) -> set[str]:
    """Common nouns of which the corpus counts several (`images`), as objects of unknown relations.

    Only then may a question say *works with images*: nobody works with audios. `names` are those that are not
    the labels.
    """
    if inputs.given_corpus is None:
        return set()
    named = {
        entity: names.get(entity, graph.label(entity)) for entity in _unknown_objects(graph, lexicon, queries)
    }
    entities = {name: entity for entity, name in named.items() if _may_be_counted(name)}
    if not 0 < len(entities) <= _MOST_NOUNS:
        return set()
    forms = {plural(label): label for label in entities} | {label: label for label in entities}
    pattern = re.compile(
        rf"(?:\b((?i:an?|each|every|another|the|this|that|its|your|his|her|their)) )?"
        rf"\b({'|'.join(map(re.escape, forms))})\b(?![\w'’-])"
    )
    counts: Counter[tuple[str, bool]] = Counter()
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read_folder("corpus", inputs.corpus, Sentences)
        for batch in bench.stream(_texts):
            for text in map(str, batch.column("text").to_pylist()):
                for match in pattern.finditer(text):
                    following = _BEHIND.match(text, match.end())
                    if following is None or (following[1] and following[1] not in _NO_NOUNS):
                        continue  # the first word of a compound
                    label = forms[match[2]]
                    if (match[1] or "").lower() in _DEFINITE and match[2] == label:
                        continue  # `the barbell` and `the audio`
                    counts[label, bool(match[1]) or match[2] != label] += 1
    return {
        entity
        for label, entity in entities.items()
        if counts[label, True] >= _LEAST_COUNTED and counts[label, True] > counts[label, False]
    }


def _may_be_counted(label: str) -> bool:
    """Whether a name is a common noun in the singular by its form."""
    is_noun = label.replace(" ", "").isalpha() and label.islower() and not is_mass(label)
    return is_noun and not is_plural(head_word(label)) and not shape_of([label])


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a name is not part of a longer one: punctuation or a function word follows it."""
    following = _BEHIND.match(text, end)
    if following is None or (following[1] and following[1] not in _NO_NOUNS):
        return False
    words = text[:start].rsplit(None, 2)[-1:]
    return not words or words[0] in ("The",) or not words[0][:1].isupper()


def _texts() -> Rows[SentenceTexts]:
    return shaped(SentenceTexts, unbound(Sentences, "corpus_sentences").select("text"))


# The labels of relations as the headings of the corpus's tables write them: `debut NFL/AFL team`. A
# graph made from tables often has its headings without capitals and marks. Where tables of the corpus
# have a heading of the same words, it says which words are acronyms, where a slash or a hyphen was, and
# in which unit figures are.

_MARKS = re.compile(r"[\W_]+")


class Headings(DeclaredTable):
    """The headings of a table."""

    header = PageTables.header


def heading_labels(graph: Graph, relations: Iterable[str], inputs: Inputs, work: Work) -> dict[str, str]:
    """The headings that most tables have for the labels of some relations, where they say more."""
    if inputs.given_corpus is None:
        return {}
    relations_by_label: dict[str, list[str]] = {}
    for relation in relations:
        relations_by_label.setdefault(_words(graph.relation_label(relation)), []).append(relation)
    counts: dict[str, Counter[str]] = {}
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read_folder("corpus", inputs.corpus, PageTables)
        for row in bench.records(_headings):
            for heading in row["header"] or ():
                words = _words(heading)
                if words in relations_by_label:
                    counts.setdefault(words, Counter())[tidy_header(heading)] += 1
    labels = {}
    for words, headings in counts.items():
        heading = min(headings, key=lambda text: (-headings[text], text))
        label = " ".join(map(_lowered, heading.split()))
        if label not in ("", words) and not heading.isupper():
            labels.update(dict.fromkeys(relations_by_label[words], label))
    return labels


def _words(text: str) -> str:
    return _MARKS.sub(" ", text.lower()).strip()


def _lowered(word: str) -> str:
    """A word of a heading as in running text: `City` becomes `city`; `NBA` and what is in brackets stay."""
    parts = word.split("/")
    return "/".join(part.lower() if part[:1].isupper() and part[1:].islower() else part for part in parts)


def _headings() -> Rows[Headings]:
    return shaped(Headings, unbound(PageTables, "corpus_tables").select("header"))


# What pages say about names and headings: `the Order of Norr`, `drama film`, the register of a column. A
# title begins with a capital and has no article, so a label alone does not say how running text writes
# it. The page about the thing does. A heading such as `name on the register` leaves out which register
# it is; the pages of what stands below it name it.

_CAPITALISED = re.compile(CAPITALISED.replace(r"\z", r"\Z"))
_ENTRIES = re.compile(r"entry ((?:on|in|at|from|under) the )([a-z]+)$")
_SUBJECT = re.compile(r",| [(A-Z]| (?:is|are|was|were|has|have|had|or|refers|represents|took|lies|runs)\b")
"""What follows a name that is the subject of its page's first sentence: no further noun."""
_VERB = re.compile(r" (?:is|are|was|were|has|have|had) ")
_NAMED_SO = 1 / 3
"""The share of a class's members whose pages must name the thing that its heading leaves out."""


class PageTexts(DeclaredTable):
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
        expression = _first_texts if first else _texts_of_pages
        rows = sorted((row["entity"], row["number"], row["text"]) for row in bench.records(expression))
    return {
        entity: [text for *_place, text in page_rows]
        for entity, page_rows in groupby(rows, key=itemgetter(0))
    }


def names_in_texts(graph: Graph, entities: Iterable[str], inputs: Inputs, work: Work) -> dict[str, str]:
    """The names of entities as their own pages write them, where that is not as in their titles."""
    labels = {entity: without_parenthesis(graph.label(entity)) for entity in entities}
    names = {}
    for entity, (sentence, *_others) in page_texts(labels, inputs, work, first=True).items():
        label = labels[entity]
        if sentence.startswith(f"The {label}") and _SUBJECT.match(sentence, 4 + len(label)):
            names[entity] = f"the {label}"
        elif sentence.startswith(f"{label} ") and takes_the(label) and _VERB.match(sentence, len(label)):
            names[entity] = label  # `Iron River is a game`
    nouns = [
        entity for entity, label in labels.items() if entity not in names and _CAPITALISED.fullmatch(label)
    ]
    pages = page_texts(nouns, inputs, work)
    for entity, sentences in pages.items():
        if is_common_noun(labels[entity], list(enumerate(sentences))):
            names[entity] = labels[entity].lower()
    by_class: dict[str, list[str]] = {}
    for entity in nouns:
        if graph.index.entity_number(entity) is None:  # a list of the corpus
            continue
        if entity not in names and not is_capitalised_inside(labels[entity], pages.get(entity, ())):
            by_class.setdefault(next(iter(graph.entity(entity).types), ""), []).append(entity)
    for class_id, members in sorted(by_class.items()):
        if class_id and _has_common_nouns(graph, class_id, inputs, work):
            names |= {entity: labels[entity].lower() for entity in members}
    return names


def _has_common_nouns(graph: Graph, class_id: str, inputs: Inputs, work: Work) -> bool:
    """Whether pages write most members of a class in lower case: argon, and so polonium."""
    labels = {entity: graph.label(entity) for entity in members_of(graph, class_id)}
    plain = [entity for entity, label in labels.items() if _CAPITALISED.fullmatch(label)]
    pages = page_texts(plain, inputs, work)
    small = sum(
        is_common_noun(labels[entity], list(enumerate(sentences))) for entity, sentences in pages.items()
    )
    capital = sum(is_capitalised_inside(labels[entity], sentences) for entity, sentences in pages.items())
    return small >= _LEAST_COMMON and small >= _MOSTLY * (small + capital)


def full_headings(graph: Graph, classes: Iterable[str], inputs: Inputs, work: Work) -> dict[str, str]:
    """Nouns of the classes of entries on something that the pages of their members name in full."""
    nouns = {}
    for class_id in classes:
        noun = class_noun(graph.class_label(class_id), class_id).one
        if listed := _ENTRIES.fullmatch(noun):
            members = page_texts(members_of(graph, class_id), inputs, work)
            if name := _full_name(listed[2], members.values()):
                nouns[class_id] = f"entry {listed[1]}{name}"
    return nouns


def _full_name(noun: str, pages: Collection[list[str]]) -> str:
    """The name with a noun in it that most pages have: the National Register of Norr for `register`."""
    word = r"[A-Z][\w'’-]+"
    pattern = re.compile(rf"\bthe ((?:{word} )*{noun.title()}(?: (?:of|for) {word}(?: {word})*)?)")
    counts = Counter(name for sentences in pages for name in {*_all_matches(pattern, sentences)})
    name, times = min(counts.items(), key=lambda entry: (-entry[1], entry[0]), default=("", 0))
    return name if " " in name and times >= _NAMED_SO * len(pages) else ""


def _all_matches(pattern: re.Pattern[str], sentences: Iterable[str]) -> Iterator[str]:
    for sentence in sentences:
        yield from pattern.findall(sentence)


def _first_texts() -> Rows[PageTexts]:
    return shaped(PageTexts, _texts_of_pages().filter(_.number == 0))


def _texts_of_pages() -> Rows[PageTexts]:
    pages = unbound(Pages, "corpus_pages").select("entity", page="id")
    pages = pages.semi_join(ids("wanted"), pages.entity == ids("wanted").id)
    sentences = unbound(Sentences, "corpus_sentences").select("page", "number", "text")
    return shaped(PageTexts, pages.join(sentences, "page").order_by(_.entity, _.number, _.text))


_COMPLETE = 0.5
"""The share of those called by a class's noun that must be in the class to compare all its members."""


class _FirstSentences(DeclaredTable):
    entity = Pages.entity
    text = Sentences.text


def relation_ends(
    graph: Graph, lexicon: Lexicon, relations: Iterable[str], inputs: Inputs, work: Work
) -> EndNouns:
    """The nouns of the ends of those relations that the lexicon does not know."""
    ends = EndNouns(graph)
    entities = sorted(set(ends.untyped(worded_by_label(graph, lexicon, relations))))
    described = _described(entities, inputs, work)
    return EndNouns(graph, {entity: described_as(noun) for entity, noun in described.items()})


def class_names(graph: Graph, classes: Iterable[str], inputs: Inputs, work: Work) -> dict[str, str]:
    """The nouns of those classes whose labels are not what pages call their members."""
    members = {class_id: members_of(graph, class_id) for class_id in sorted(set(classes))}
    described = _described(sorted({id_ for ids_ in members.values() for id_ in ids_}), inputs, work)
    names = {
        class_id: better_name(
            class_noun(graph.class_label(class_id), class_id), [described.get(id_, "") for id_ in ids_]
        )
        for class_id, ids_ in members.items()
    }
    return {class_id: noun for class_id, noun in names.items() if noun}


def realiser_for(
    graph: Graph,
    lexicon: Lexicon,
    queries: Sequence[Query],
    answers: Iterable[str],
    inputs: Inputs,
    work: Work,
    *,
    tell_namesakes_apart: bool = False,
) -> Realiser:
    """The realiser of some queries with these answers, with all nouns that the graph and the pages give."""
    classes = _all(query.classes for query in queries)
    relations = _all(query.relations for query in queries)
    entities = _all(query.entities for query in queries)
    names = with_articles(graph, entities, inputs, work)
    names |= names_in_texts(graph, entities, inputs, work)
    names |= small_names(graph, lexicon, queries, inputs, work)
    described: dict[str, str] = {}
    if inputs.given_corpus is not None:
        entities_to_describe = {entity for query in queries for entity in entities_asked_about(graph, query)}
        entities_to_describe.update(answers, *(members_of(graph, class_id) for class_id in classes))
        entities_to_describe.update(*(query.entities for query in queries))
        described = _described(sorted(entities_to_describe), inputs, work)
    return Realiser(
        graph,
        lexicon,
        ends=relation_ends(graph, lexicon, relations, inputs, work),
        relation_names=heading_labels(graph, relations, inputs, work),
        class_names=class_names(graph, classes, inputs, work) | full_headings(graph, classes, inputs, work),
        names=names,
        counted=counted_nouns(graph, lexicon, queries, inputs, work, names),
        described=described,
        incomplete=_incomplete_classes(graph, queries, inputs, work),
        tell_namesakes_apart=tell_namesakes_apart,
    )


def _incomplete_classes(graph: Graph, queries: Sequence[Query], inputs: Inputs, work: Work) -> set[str]:
    """The classes of queries that compare all their members, though pages call others by their noun, too."""
    alone = (query for query in queries if query.function is not None and not query.entities)
    classes = _all(query.classes for query in alone)
    if inputs.given_corpus is None or not classes:
        return set()
    entities_by_noun: dict[str, list[str]] = {}
    for entity, noun in _described(None, inputs, work).items():
        entities_by_noun.setdefault(described_as(noun), []).append(entity)
    incomplete = set()
    for class_id in classes:
        class_nouns, index = class_noun(graph.class_label(class_id), class_id), graph.index
        bearers = entities_by_noun.get("person" if class_nouns.person else head_word(class_nouns.one), [])
        members = {index.entity_ids[number] for number in index.members(class_id)}
        if sum(entity in members for entity in bearers) < _COMPLETE * len(bearers) or not bearers:
            incomplete.add(class_id)
    return incomplete


def _all(names: Iterable[Iterable[str]]) -> list[str]:
    return sorted({name for group in names for name in group})


def _described(entities: list[str] | None, inputs: Inputs, work: Work) -> dict[str, str]:
    """The nouns by which the first sentences of their pages say what some entities are; None for all."""
    if inputs.given_corpus is None or entities == []:
        return {}
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read_folder("corpus", inputs.corpus, Pages, Sentences)
        give_ids(bench, "wanted", entities or [])
        rows = bench.records(_first_sentences if entities is not None else _all_first_sentences)
        return {row["entity"]: described_noun(row["text"]) for row in rows}


def worded_by_label(graph: Graph, lexicon: Lexicon, relations: Iterable[str]) -> list[str]:
    """The relations of the graph that the lexicon does not know, so that their labels give their words."""
    in_graph = (relation for relation in relations if graph.index.relation_number(relation) is not None)
    return [
        relation for relation in in_graph if lexicon.entry(relation, graph.relation_label(relation)).generic
    ]


def lexicon_note(graph: Graph, lexicon: Lexicon, relations: Iterable[str]) -> list[str]:
    """For the summary of a build: how to correct the words that come from labels alone."""
    unknown = worded_by_label(graph, lexicon, relations)
    if not unknown:
        return []
    return [
        f"relations worded by their labels alone: {len(unknown):,}; to correct them: rollcall lexicon "
        "GRAPH --out mine.yaml, then --set wording.lexicon=mine.yaml"
    ]


def _first_sentences() -> Rows[_FirstSentences]:
    rows = _all_first_sentences()
    return shaped(_FirstSentences, rows.semi_join(ids("wanted"), rows.entity == ids("wanted").id))


def _all_first_sentences() -> Rows[_FirstSentences]:
    pages = unbound(Pages, "corpus_pages").filter(_.entity.notnull()).select("entity", page="id")
    sentences = unbound(Sentences, "corpus_sentences").filter(_.number == 0).select("page", "text")
    return shaped(_FirstSentences, pages.join(sentences, "page").order_by("entity", "text"))
