"""The columns of a question set as a table: every field in every row, so that dataset libraries see one type.

An unknown text is empty, and an unknown number is below zero.
"""

from rollcall.tables.table import Float64, Int64, Records, String, Strings, Table


class QuestionEvidence(Table, sorted_by=None):
    """A piece of evidence for an answer."""

    text = String("the text that supports the answer")
    title = String("the title of its page")
    passage = String("the id of its passage")
    url = String("the address of its page")
    fact = String("the fact that it proves")
    start = Int64("where it starts, in characters")
    end = Int64("where it ends")
    score = Float64("the score of the verifier")


class QuestionAnswers(Table, sorted_by=None):
    """An answer of a question."""

    id = String("the id of its entity")
    label = String("its name")
    aliases = Strings("its other names")
    evidence = Records("what supports it", QuestionEvidence)


class Questions(Table, sorted_by=None, rows_per_group=2000):
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
    answers = Records("its answers", QuestionAnswers)
    more = String("what few questions have, in JSON: alternatives, candidates, extended answers, provenance")
    provenance = String("where it comes from, in JSON")
