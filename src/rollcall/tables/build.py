"""The tables between the stages of a build that are neither mined queries nor evidence."""

from rollcall.tables.corpus import Pages
from rollcall.tables.evidence import Evidence
from rollcall.tables.mining import (
    Answers,
    ClusterQueries,
    OfferedCandidates,
    Proofs,
    Queries,
    SetQueries,
    TemplateQueries,
    ValidatedQueries,
)
from rollcall.tables.table import String, Strings, Table


class ChosenQueries(ValidatedQueries, name="chosen", sorted_by=("key",)):
    """A query that was drawn for the set."""

    split = String("its split, such as `train`")


class WordedQueries(Table, name="worded", sorted_by=("key",)):
    """A query of the set in English."""

    key = Queries.key
    id = String("the id of the question")
    query = String("the query's canonical text")
    question = String("the question")
    wordings = Strings("other ways to ask it")
    same_answers = Strings("the ids of questions with the same answers")


class WordedStructures(Table, name="worded", sorted_by=("key",)):
    """A template, cluster or set operation in English."""

    key = Queries.key
    kind = Queries.kind
    source = String("the stage that mined it")
    cluster = ClusterQueries.cluster
    split = ChosenQueries.split
    query = WordedQueries.query
    question = WordedQueries.question
    wordings = WordedQueries.wordings
    same_answers = Strings("the keys of queries with the same answers")
    template = TemplateQueries.template
    commonness = TemplateQueries.commonness
    operation = SetQueries.operation
    redundant = TemplateQueries.redundant


class _StatedFacts(Table):
    """A fact, and a sentence that states it."""

    subject = Proofs.subject
    relation = Proofs.relation
    object = Proofs.object
    object_literal = Proofs.object_literal
    text = Evidence.text
    passage = Evidence.passage
    title = Pages.title
    start = Evidence.start
    end = Evidence.end
    score = Evidence.score


class AnswerEvidence(_StatedFacts, Answers):
    """A sentence that states a fact of an answer."""


class _CandidateOf(Table):
    key = Queries.key
    candidate = OfferedCandidates.candidate


class CandidateEvidence(_StatedFacts, _CandidateOf):
    """A sentence that states a fact of a candidate."""
