"""The tables between the stages of a build that are neither mined queries nor evidence."""

from rollcall.tables import graph
from rollcall.tables.corpus import Pages
from rollcall.tables.table import (
    Boolean,
    DeclaredTable,
    Float64,
    Int32,
    Int32s,
    Int64,
    Records,
    String,
    Strings,
)

# The tables of mined queries. A query is stored as its canonical text. `proofs` has one row for every fact
# that an answer needs; rows with the same `via` belong to one derivation of the answer.


class Queries(DeclaredTable, sorted_by=("key",)):
    """A query that may become a question."""

    key = String("the hash that identifies the query")
    kind = String("`simple`, `composition`, `intersection`, …")
    query = String("its canonical text")
    class_ = String("the class that the answers must have, if any")
    answers = Int64("how many answers it has in the graph")


class SimpleGroups(DeclaredTable, name="groups", sorted_by=("key",)):
    """A simple query in parts, from which other kinds are mined."""

    key = Queries.key
    relation = String("its relation")
    direction = String("the end of the relation's facts that is asked for: `subject` or `object`")
    entity = String("the entity at the other end")
    class_ = Queries.class_
    answers = Queries.answers


class GroupCounts(DeclaredTable, name="group_sizes", sorted_by=("relation", "direction", "answers")):
    """How many groups of a relation have a number of answers; too small ones are not mined."""

    relation = SimpleGroups.relation
    direction = SimpleGroups.direction
    answers = Queries.answers
    groups = Int64("how many entities the relation leads to so many answers from")


class ListQueries(Queries, name="queries", sorted_by=("key",)):
    """A query about a list."""

    title = String("the title of the list")
    column = String("the relation of the column that it asks about, if any")


class ValidatedQueries(Queries, name="kept", sorted_by=("key",)):
    """A query that passed validation."""

    validated = Int64("how many of its answers are validated")


class Proofs(DeclaredTable):
    """A fact that an answer needs."""

    key = Queries.key
    answer = String("the answer: the id of an entity, or the canonical text of a value")
    literal = Boolean("whether the answer is a value")
    via = String("the entity between the two facts of a composition; the facts of one derivation share it")
    subject = String("the subject of the fact")
    relation = String("its relation")
    object = String("its object")
    object_literal = Boolean("whether its object is a value")


class SimpleProofs(Proofs, name="proofs", sorted_by=("key", "answer")):
    """A fact that an answer needs, for queries whose answers need one fact each."""


class ProvableFacts(DeclaredTable, name="facts"):
    """A fact that evidence is searched for."""

    subject = String("the entity that the fact is about")
    relation = String("the relation")
    object = String("the other entity, or the canonical text of a value")
    literal = Boolean("whether the object is a value")


class ListFacts(ProvableFacts, name="list_facts"):
    """A fact that a list or a table on a page states."""

    text = String("the text of the cell that states it; `@` for a year of which the cell has the day")


class RelatedFacts(ProvableFacts, name="related"):
    """A fact that a list states, and the fact with a relation of the graph that means the same."""

    of_subject = ProvableFacts.subject
    of_relation = ProvableFacts.relation
    of_object = ProvableFacts.object
    of_literal = ProvableFacts.literal


class TableFacts(graph.Facts, name="table_facts"):
    """A fact between two entities that a table on a page states."""


class TableValues(graph.Values, name="table_values"):
    """A value that a table on a page states."""


class ValidatedAnswers(DeclaredTable, name="validated"):
    """An answer of a query."""

    key = Queries.key
    answer = Proofs.answer
    literal = Proofs.literal


class QueryAnswers(ValidatedAnswers, name="answers"):
    """An answer of a query in the graph; for a count, what is counted."""


class TemplateQueries(Queries, name="queries"):
    """A graph-shaped query that was grown from a template."""

    template = String("the query with variables instead of its entities and values")
    edges = Int64("how many relation edges it has")
    nodes = Int64("how many nodes it has")
    function = String("its function, such as `count`; `none` if it has none")
    category = String("the category of its function: `none`, `count`, `superlative` or `comparative`")
    commonness = Float64("log10 of the probability that it is asked")
    redundant = Boolean("whether it has parts that could be removed without changing its answers")


class ClusterQueries(Queries, name="queries"):
    """A query of a cluster."""

    cluster = String("the id of its cluster")
    constraints = Strings("its constraints, negated ones with `not`")
    positive = Int64("how many of its constraints are not negated")
    negative = Int64("how many are negated")


class SetQueries(Queries, name="queries"):
    """A query that combines sets."""

    operation = String("the operation, such as `A ∪ B`")
    sets = Strings("the queries of the sets, in order")


class Constraints(DeclaredTable):
    """A constraint of a cluster."""

    cluster = ClusterQueries.cluster
    constraint = String("relation, entity and direction, separated by tabs")
    relation = String("its relation")
    entity = String("the entity that it names")
    direction = String("the end of the relation's facts that satisfies it")


class OfferedCandidates(DeclaredTable, name="candidates"):
    """A candidate that a question of a cluster offers in the closed setting."""

    key = Queries.key
    place = Int64("its place among the candidates, from 0")
    candidate = String("the id of an entity")
    is_answer = Boolean("whether it is an answer")


class CandidateFacts(DeclaredTable):
    """A constraint of a question that a candidate satisfies, and the fact by which it does."""

    key = Queries.key
    candidate = OfferedCandidates.candidate
    constraint = Int64("the place of the constraint in the question, from 0")
    subject = Proofs.subject
    relation = Proofs.relation
    object = Proofs.object


class OntologyEdges(DeclaredTable):
    """A relation between two classes, counted over all facts."""

    subject_class = String("the class of the subjects; empty if they have no type")
    relation = String("the relation")
    object_class = String("the class of the objects, or a literal class such as `date`")
    literal = Boolean("whether the objects are values")
    facts = Int64("how many facts it has")


# The tables of evidence: what is searched for, what is found, and what is kept. They are the same for
# facts of the graph and of lists, in every pipeline.


class RelationNames(DeclaredTable, name="further_names"):
    """Words that name an entity as the object of one relation only."""

    relation = String("the relation")
    entity = String("the object")
    words = String("the words")


class _Fact(DeclaredTable):
    subject = ProvableFacts.subject
    relation = ProvableFacts.relation
    object = ProvableFacts.object
    literal = ProvableFacts.literal


class PageWants(
    DeclaredTable, name="wants", sorted_by=("page", "subject", "relation", "object", "literal", "side")
):
    """A fact that a page is searched for."""

    page = String("the page's id")
    subject = ProvableFacts.subject
    relation = ProvableFacts.relation
    object = ProvableFacts.object
    literal = ProvableFacts.literal
    side = String("which end of the fact the page is about: `subject`, `object` or `neither`")
    label = String("the label of the other end, or its value")
    names = String("all names of the other end, with a separator between them")


class PageTopics(DeclaredTable, name="topics", sorted_by=("page", "topic")):
    """What a page that is searched is about."""

    page = String("the page's id")
    topic = String("the entity")
    names = String("all its names, with a separator between them")
    label = String("its label")


class NamedEnds(DeclaredTable):
    """An end of a fact, or an entity that shares a name with one, and how text may name it."""

    end = String("the entity's id, or the value in its canonical text")
    literal = Boolean("whether it is a value")
    relation = String("the only relation for whose objects these names count; empty for all")
    names = PageTopics.names


class NameKeys(DeclaredTable):
    """A key of a name, and what bears the name."""

    key = Int64("a number made of the words of the name")
    end = NamedEnds.end
    literal = NamedEnds.literal
    relation = NamedEnds.relation


class PageKeys(DeclaredTable):
    """The number of a page in the index of mentions."""

    key = Int64("a number made of the page's id")
    page = String("the page's id")


class NamePlaces(DeclaredTable):
    """A place in the corpus that has the words of a name, or a link."""

    page = PageKeys.key
    sentence = Int32("the sentence's place on the page")
    place = Int64("where it starts in the page's text, in characters")
    key = NameKeys.key


class PairWants(
    DeclaredTable,
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


class _FoundSentence(_Fact):
    side = PageWants.side
    page = String("the page's id")
    sentence = Int32("the sentence's place on the page")
    start = Int64("where it starts in the page's text, in characters")
    end = Int64("where it ends")
    name = String("the name in the sentence by which the other end (of `neither`, the object) was found")
    text = String("the sentence")


class Candidates(_FoundSentence):
    """A sentence that names both ends of a fact."""

    before = String("the two sentences before it")
    subject_name = String("the words that name the subject")
    object_name = String("the words that name the object")
    subject_places = Int32s("where these words start and end in the sentence, in turn")
    object_places = Int32s("the same for the object")


class ScoredCandidates(_FoundSentence, name="scored"):
    """A candidate with the verifier's score."""

    score = Float64("the verifier's score, from 0 to 1; null if the verifier gives no scores")
    validated = Boolean("whether the verifier accepts the sentence as a statement of the fact")


class RankedCandidates(ScoredCandidates, name="best"):
    """A candidate with its place among those of its fact."""

    rank = Int32("its place among the sentences for this fact, from 1")


class EvidenceRows(_Fact, name="evidence"):
    """A sentence that may prove a fact."""

    rank = RankedCandidates.rank
    page = _FoundSentence.page
    sentence = _FoundSentence.sentence
    start = _FoundSentence.start
    end = _FoundSentence.end
    passage = String("the passage that contains it; null if no passage does")
    side = PageWants.side
    name = _FoundSentence.name
    text = _FoundSentence.text
    score = ScoredCandidates.score
    validated = ScoredCandidates.validated


# The columns of a question set as a table: every field in every row, so that dataset libraries see one
# type. An unknown text is empty, and an unknown number is below zero.


class QuestionEvidence(DeclaredTable, sorted_by=None):
    """A piece of evidence for an answer."""

    text = String("the text that supports the answer")
    title = String("the title of its page")
    passage = String("the id of its passage")
    url = String("the address of its page")
    fact = String("the fact that it proves")
    start = Int64("where it starts, in characters")
    end = Int64("where it ends")
    score = Float64("the score of the verifier")


class QuestionAnswers(DeclaredTable, sorted_by=None):
    """An answer of a question."""

    id = String("the id of its entity")
    label = String("its name")
    aliases = Strings("its other names")
    evidence = Records("what supports it", QuestionEvidence)
    sources = Strings("what says that it is right: `graph`, `text`, `list`, `people`")


class NeutralAnswers(QuestionAnswers, sorted_by=None):
    """An answer that is neither required nor wrong."""

    unproved = String("the fact that no sentence states")
    nearest = Records("the sentence that comes nearest to stating it, if there is one", QuestionEvidence)


class Questions(DeclaredTable, sorted_by=None, rows_per_group=2000):
    """A question of a set, in the order of the set."""

    id = String("its id")
    question = String("the question")
    kind = String("`simple`, `composition`, `intersection`, …")
    split = String("`train`, `dev`, `test`, …")
    cluster = String("what it shares with the questions that must be in the same split")
    wordings = Strings("other ways to ask it")
    relations = Strings("the relations of its query")
    query_text = String("the canonical text of its query")
    query_graph = String("the query as a graph, in JSON")
    query_sparql = String("the query in SPARQL")
    characteristics = String("its characteristics, in JSON")
    answers = Records("its answers that count", QuestionAnswers)
    neutral = Records("its answers that are neither required nor wrong", NeutralAnswers)
    more = String("what few questions have, in JSON: alternatives, candidates, extended answers, provenance")
    provenance = String("where it comes from, in JSON")


class ChosenQueries(ValidatedQueries, name="chosen", sorted_by=("key",)):
    """A query that was drawn for the set."""

    split = String("its split, such as `train`")


class FurtherEvidence(EvidenceRows, name="further_evidence"):
    """A sentence that probably states a fact which the graph lacks."""


class FurtherAnswers(ValidatedAnswers, name="further", sorted_by=("key", "answer")):
    """An answer that the graph lacks and that text or a list gives."""

    source = String("what gives it: `text`, or `list` if no sentence does")
    chance = Float64("how likely it is right")
    counts = Boolean("whether it counts; others are neutral")
    stated = Boolean("whether text states whatever the graph says about it")


class WordedQueries(DeclaredTable, name="worded", sorted_by=("key",)):
    """A query of the set in English."""

    key = Queries.key
    id = String("the id of the question")
    kind = Queries.kind
    query = Queries.query
    answers = Queries.answers
    question = String("the question")
    wordings = Strings("other ways to ask it")
    same_answers = Strings("the ids, or the keys, of questions with the same answers")
    split = ChosenQueries.split
    source = String("the stage that mined it, if answers need no proof")
    cluster = ClusterQueries.cluster
    template = TemplateQueries.template
    commonness = TemplateQueries.commonness
    operation = SetQueries.operation
    redundant = TemplateQueries.redundant


class _StatedFacts(DeclaredTable):
    """A fact, and a sentence that states it."""

    subject = Proofs.subject
    relation = Proofs.relation
    object = Proofs.object
    object_literal = Proofs.object_literal
    text = EvidenceRows.text
    passage = EvidenceRows.passage
    title = Pages.title
    start = EvidenceRows.start
    end = EvidenceRows.end
    score = EvidenceRows.score


class SetAnswers(DeclaredTable, name="set_answers", sorted_by=("position", "answer", "literal")):
    """An answer of a question of the set."""

    position = Int64("the place of the query in the set, from 0")
    answer = ValidatedAnswers.answer
    literal = ValidatedAnswers.literal


_FACT_ORDER = ("subject", "relation", "object", "object_literal", "rank")


class AnswerEvidence(_StatedFacts, sorted_by=("position", "answer", "literal", "last", *_FACT_ORDER)):
    """A sentence that states a fact of an answer."""

    position = SetAnswers.position
    answer = ValidatedAnswers.answer
    literal = ValidatedAnswers.literal
    last = Boolean("whether the fact names the answer; such a fact comes last if answers are proved")
    rank = EvidenceRows.rank


class UnprovedAnswers(_StatedFacts, sorted_by=("position", "answer", "literal")):
    """An answer that no text proves: the fact that it lacks, and the sentence that comes nearest to it.

    Text and the like are null if no sentence names both ends of the fact.
    """

    position = SetAnswers.position
    answer = ValidatedAnswers.answer
    literal = ValidatedAnswers.literal


class CandidateEvidence(_StatedFacts, sorted_by=("position", "candidate", *_FACT_ORDER)):
    """A sentence that states a fact of a candidate."""

    position = SetAnswers.position
    candidate = OfferedCandidates.candidate
    rank = EvidenceRows.rank
