"""The tables of evidence: what is searched for, what is found, and what is kept.

They are the same for facts of the graph and of lists, in every pipeline.
"""

from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import Boolean, Float64, Int32, Int32s, Int64, String, Table


class RelationNames(Table, name="further_names"):
    """Words that name an entity as the object of one relation only."""

    relation = String("the relation")
    entity = String("the object")
    words = String("the words")


class _Fact(Table):
    subject = ProvableFacts.subject
    relation = ProvableFacts.relation
    object = ProvableFacts.object
    literal = ProvableFacts.literal


class PageWants(Table, name="wants", sorted_by=("page", "subject", "relation", "object", "literal", "side")):
    """A fact that a page is searched for."""

    page = String("the page's id")
    subject = ProvableFacts.subject
    relation = ProvableFacts.relation
    object = ProvableFacts.object
    literal = ProvableFacts.literal
    side = String("which end of the fact the page is about: `subject`, `object` or `neither`")
    label = String("the label of the other end, or its value")
    names = String("all names of the other end, with a separator between them")


class PageTopics(Table, name="topics", sorted_by=("page", "topic")):
    """What a page that is searched is about."""

    page = String("the page's id")
    topic = String("the entity")
    names = String("all its names, with a separator between them")
    label = String("its label")


class NamedEnds(Table):
    """An end of a fact, or an entity that shares a name with one, and how text may name it."""

    end = String("the entity's id, or the value in its canonical text")
    literal = Boolean("whether it is a value")
    relation = String("the only relation for whose objects these names count; empty for all")
    names = PageTopics.names


class NameKeys(Table):
    """A key of a name, and what bears the name."""

    key = Int64("a number made of the words of the name")
    end = NamedEnds.end
    literal = NamedEnds.literal
    relation = NamedEnds.relation


class PageKeys(Table):
    """The number of a page in the index of mentions."""

    key = Int64("a number made of the page's id")
    page = String("the page's id")


class NamePlaces(Table):
    """A place in the corpus that has the words of a name, or a link."""

    page = PageKeys.key
    sentence = Int32("the sentence's place on the page")
    place = Int64("where it starts in the page's text, in characters")
    key = NameKeys.key


class PairWants(
    Table,
    name="pair_wants",
    sorted_by=("page", "sentence", "subject", "relation", "object", "literal"),
):
    """A sentence to search for a fact, on a page of neither end."""

    page = String("the page's id")
    sentence = Int32("the sentence's place on the page")
    subject = ProvableFacts.subject
    relation = ProvableFacts.relation
    object = ProvableFacts.object
    literal = ProvableFacts.literal
    title = String("the page's title")
    subject_label = String("the label of the subject")
    subject_names = String("all names of the subject, with a separator between them")
    object_label = String("the label of the object, or its value")
    object_names = String("the same for the object")


class _Found(_Fact):
    side = PageWants.side
    page = String("the page's id")
    sentence = Int32("the sentence's place on the page")
    start = Int64("where it starts in the page's text, in characters")
    end = Int64("where it ends")
    name = String("the name in the sentence by which the other end (of `neither`, the object) was found")
    text = String("the sentence")


class Candidates(_Found):
    """A sentence that names both ends of a fact."""

    before = String("the two sentences before it")
    subject_name = String("the words that name the subject")
    object_name = String("the words that name the object")
    subject_places = Int32s("where these words start and end in the sentence, in turn")
    object_places = Int32s("the same for the object")


class ScoredCandidates(_Found, name="scored"):
    """A candidate with the verifier's judgement."""

    score = Float64("the verifier's score, from 0 to 1; null if the verifier does not judge")
    validated = Boolean("whether the verifier accepts the sentence as a statement of the fact")


class RankedCandidates(ScoredCandidates, name="best"):
    """A candidate with its place among those of its fact."""

    rank = Int32("its place among the sentences for this fact, from 1")


class Evidence(_Fact):
    """A sentence that may prove a fact."""

    rank = RankedCandidates.rank
    page = _Found.page
    sentence = _Found.sentence
    start = _Found.start
    end = _Found.end
    passage = String("the passage that contains it; null if no passage does")
    side = PageWants.side
    name = _Found.name
    text = _Found.text
    score = ScoredCandidates.score
    validated = ScoredCandidates.validated
