"""Wordings that are broken, vague or senseless, by signs that can be measured.

Names are left out of most signs: what stands in a name is as its owner wrote it. Where a whole set has a
style of its own (no question marks, no capitals), that style is not a fault.
"""

import re
from collections.abc import Iterable, Iterator

from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import Findings, QualityCheck, QuestionCheck
from rollcall.audit.material import IMPERATIVES, Material, folded, graph_names, resembles, words
from rollcall.query import Query
from rollcall.query.statements import Edge, Literal
from rollcall.questions.record import Question
from rollcall.text.names import whole_words
from rollcall.text.nouns import with_article
from rollcall.text.words import AUXILIARIES, QUESTION_WORDS

LONGEST = 60
"""The most words of a question."""
_NAME = "\ue000"
"""Replaces a character of a name; it is not a letter, a space or a mark."""
_MARKS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))
_ODD_MARKS = re.compile(r"\s[?,;:](?!\w)|[?!,;:]{2,}|(?<!\.)\.\.(?!\.)|\(\s*\)|“\s*”|\"\s*\"")
_DOUBLED = re.compile(r"\b([^\W\d_]+)\s+\1\b", re.IGNORECASE)
_MAY_DOUBLE = frozenset(("that", "had", "is", "do"))
_LEFTOVERS = (
    (
        "a placeholder",
        re.compile(r"\{[^{}]*\}|<[^<>]*>|\[[A-Z_]+\]|%s|\?[xyz]\b|\b(?:TODO|FIXME|NaN|null|undefined)\b"),
    ),
    ("an id", re.compile(r"\b[QP]\d{2,}\b|\b[mg]\.0\w{3,}|\bhttps?://\S+|\b\w+:\w+#\w+")),
    ("an underscore", re.compile(r"\w+_+\w+|__+")),
    ("a dotted name", re.compile(r"\b[a-z_]+\.[a-z_]+\.[a-z_]+\b")),
    ("joined words", re.compile(r"\b[a-z]{2,}[A-Z][a-z]+\w*")),
)
_ASKING = QUESTION_WORDS | {"how", "why"}
_VAGUE = re.compile(
    r"\b(?:things?|anything|something|everything|stuff|entit(?:y|ies)|somethings)\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"\b(an?) ([a-z][\w'-]*)")


def _without_names(question: Question, material: Material) -> str:
    """A question's text in which every character of an entity's name is `_NAME`."""
    text = question.question
    low = folded(text)
    if len(low) != len(text):
        return text
    for name in _entity_names(question, material):
        for start, end in whole_words(low, folded(name)):
            text = text[:start] + _NAME * (end - start) + text[end:]
    return text


def _entity_names(question: Question, material: Material) -> Iterator[str]:
    yield from (name for _id, name in graph_names(question))
    entities = question.provenance.get("entities")
    yield from (str(name) for name in (entities if isinstance(entities, list) else ()))
    query = material.query(question)
    for id_ in query.entities if query is not None else ():
        yield from material.names(id_)


@QUALITY_CHECKS.register("broken-marks")
class BrokenMarks(QuestionCheck):
    """Questions with a bracket or quotation mark that has no partner, or with misplaced marks."""

    def faults(self, question: Question, material: Material) -> Iterable[str]:
        text = question.question
        for opening, closing in _MARKS:
            if text.count(opening) != text.count(closing):
                yield f"{opening} and {closing} do not match"
        if len(re.findall(r'(?<!\d)"', text)) % 2:
            yield 'a single "'
        if match := _ODD_MARKS.search(_without_names(question, material)):
            yield f"“{match[0].strip()}” after “{text[max(0, match.start() - 20) : match.start()]}”"


@QUALITY_CHECKS.register("doubled-words")
class DoubledWords(QuestionCheck):
    """Questions with a word written twice in a row."""

    def faults(self, question: Question, material: Material) -> Iterable[str]:
        for match in _DOUBLED.finditer(_without_names(question, material)):
            name = match[1][0].isupper() and match.start()  # Bora Bora, as an unknown name
            if match[1].casefold() not in _MAY_DOUBLE and not name:
                yield f"“{match[0]}”"


@QUALITY_CHECKS.register("leftovers")
class Leftovers(QuestionCheck):
    """Questions with an id, a placeholder, an underscore or joined words in their text."""

    severity = "error"

    def faults(self, question: Question, material: Material) -> Iterable[str]:
        text = _without_names(question, material)
        for what, pattern in _LEFTOVERS:
            if match := pattern.search(text):
                yield f"{what}: “{match[0]}”"


@QUALITY_CHECKS.register("no-question")
class NoQuestion(QuestionCheck):
    """Texts that ask nothing: no question word, no verb that begins a question, no request."""

    def faults(self, question: Question, material: Material) -> Iterable[str]:
        text_words = words(question.question)
        if text_words and _ASKING.isdisjoint(text_words) and text_words[0] not in AUXILIARIES | IMPERATIVES:
            yield "asks nothing"


@QUALITY_CHECKS.register("no-question-mark")
class NoQuestionMark(QualityCheck):
    """Questions without a question mark at the end, in a set where most have one."""

    def examine(self, material: Material, findings: Findings) -> None:
        asked = [question for question in material.questions if question.question.strip()]
        marked = [question.question.rstrip(" \"”'").endswith("?") for question in asked]
        if sum(marked) * 2 < len(asked):
            findings.skip("most questions of this set have no question mark")
            return
        for question, has in zip(asked, marked, strict=True):
            findings.examined(question)
            request = words(question.question)[:1]
            if not has and not IMPERATIVES.issuperset(request or [""]):
                findings.found(question, f"ends with “{question.question[-20:]}”")


@QUALITY_CHECKS.register("too-long")
class TooLong(QuestionCheck):
    """Questions of more than 60 words."""

    def faults(self, question: Question, material: Material) -> Iterable[str]:
        if (count := len(question.question.split())) > LONGEST:
            yield f"{count} words"


@QUALITY_CHECKS.register("vague-nouns")
class VagueNouns(QuestionCheck):
    """Questions for a “thing”, “anything” or “entity”, which do not say what is asked for."""

    def faults(self, question: Question, material: Material) -> Iterable[str]:
        if match := _VAGUE.search(_without_names(question, material)):
            yield f"“{match[0]}”"


@QUALITY_CHECKS.register("wrong-articles")
class WrongArticles(QuestionCheck):
    """Questions with “a” before a vowel sound, or “an” before another."""

    def faults(self, question: Question, material: Material) -> Iterable[str]:
        for match in _ARTICLE.finditer(_without_names(question, material)):
            if with_article(match[2]) != match[0]:
                yield f"“{match[0]}”"


@QUALITY_CHECKS.register("names-nothing")
class NamesNothing(QualityCheck):
    """Questions that name none of the entities and values that their query is about."""

    def examine(self, material: Material, findings: Findings) -> None:
        for question in material.questions:
            query = material.query(question)
            if query is None or not question.question:
                continue
            names = [name for id_ in query.entities for name in material.names(id_)]
            names += [name for _id, name in graph_names(question)]
            names += [str(value.value) for value in _values(query)]
            if not names:
                continue
            findings.examined(question)
            if not resembles(names, words(question.question)):
                findings.found(question, f"does not name {names[0]}")


def _values(query: Query) -> Iterator[Literal]:
    for edge in query.edges:
        for node in edge.nodes if isinstance(edge, Edge) else ():
            if isinstance(node, Literal):
                yield node
