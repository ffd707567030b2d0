"""Records that contradict themselves, the graph or the corpus."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import Findings, QualityCheck, QuestionCheck, some
from rollcall.audit.material import Material, answer_names, evidence_of, name_key, parsed_fact
from rollcall.corpus import Corpus
from rollcall.query.statements import QUESTION
from rollcall.questions.record import Evidence, Question
from rollcall.questions.splits import TABLES
from rollcall.text.words import fold


@QUALITY_CHECKS.register("empty-answers")
class EmptyAnswers(QuestionCheck):
    """Questions without any answer, or with an answer that has no label."""

    severity = "error"

    def faults(self, question: Question, material: Material) -> Iterable[str]:
        if not question.answers and not question.alternatives and not question.candidates:
            yield "no answer"
        blank = sum(not answer.label.strip() for answer in question.answers)
        if blank:
            yield f"{blank} without a label"


@QUALITY_CHECKS.register("malformed-records")
class MalformedRecords(QualityCheck):
    """Records that cannot be right: an id twice, no text, a query or fact that is none, a wrong place."""

    severity = "error"

    def examine(self, material: Material, findings: Findings) -> None:
        ids = Counter(question.id for question in material.questions)
        for question in material.questions:
            findings.examined(question)
            faults = [*_of_record(question, material)]
            if ids[question.id] > 1:
                faults.append(f"{ids[question.id]} questions have the id {question.id!r}")
            if faults:
                findings.found(question, some(faults))


def _of_record(question: Question, material: Material) -> Iterator[str]:
    if not question.id.strip():
        yield "the id is empty"
    if not question.question.strip() and not any(wording.strip() for wording in question.wordings):
        yield "there is no text"
    if question.query is not None and question.query.text.strip() and material.query(question) is None:
        yield f"“{question.query.text[:80]}” is no query"
    for answer, piece in evidence_of(question):
        if piece.fact is not None and parsed_fact(piece.fact) is None:
            yield f"“{piece.fact[:80]}” is no fact ({answer.label})"
        if piece.start is not None and piece.end is not None and not 0 <= piece.start < piece.end:
            yield f"evidence from {piece.start} to {piece.end} ({answer.label})"
        if piece.score is not None and not 0 <= piece.score <= 1:
            yield f"a score of {piece.score:g} ({answer.label})"


@QUALITY_CHECKS.register("wrong-counts")
class WrongCounts(QuestionCheck):
    """Questions whose characteristics count other answers, edges or relations than there are."""

    severity = "error"

    def faults(self, question: Question, material: Material) -> Iterable[str]:
        known, query = question.characteristics, material.query(question)
        counted: dict[str, object] = {"answers": len(question.answers)}
        if query is not None:
            counted["edges"] = len(query.edges)
            counted["constraints"] = sum(QUESTION in edge.nodes for edge in query.edges)
            counted["function"] = query.function or "none"
        for name, actual in counted.items():
            if name in known and known[name] != actual:
                yield f"{name}: {known[name]} is said, {actual} is there"
        relations = known.get("relations")
        if query is not None and isinstance(relations, list) and set(relations) != set(query.relations):
            yield f"relations: {', '.join(relations)} is said, {', '.join(query.relations)} is there"


@QUALITY_CHECKS.register("unknown-ids")
class UnknownIds(QualityCheck):
    """Ids of answers, and of entities, classes and relations of queries, that the graph does not have."""

    severity = "error"
    unit = "ids"
    needs = ("graph",)

    def examine(self, material: Material, findings: Findings) -> None:
        assert material.graph is not None
        index = material.graph.index
        for question in material.questions:
            query = material.query(question)
            of_lists = question.kind in TABLES
            answer_ids = [answer.id for answer in question.answers if answer.id is not None]
            looked = {
                "answer": (index.entity_number, answer_ids),
                "entity": (index.entity_number, list(query.entities) if query else []),
                "relation": (index.relation_number, list(query.relations) if query else []),
                "class": (index.class_number, list(query.classes) if query else []),
            }
            for what, (number, ids) in looked.items():
                if of_lists:
                    continue  # what lists name need not be in the graph
                findings.examined(question, len(ids))
                for id_ in ids:
                    if number(id_) is None:
                        findings.found(
                            question, f"{id_} is no {what if what != 'answer' else 'entity'}", what
                        )


@QUALITY_CHECKS.register("missing-names")
class MissingNames(QualityCheck):
    """Answers that lack a name which the graph knows, so that a right prediction may count as wrong."""

    severity = "note"
    unit = "answers"
    needs = ("graph",)

    def examine(self, material: Material, findings: Findings) -> None:
        assert material.graph is not None
        for question in material.questions:
            for answer in question.answers:
                if answer.id is None or material.graph.index.entity_number(answer.id) is None:
                    continue
                findings.examined(question)
                record = material.graph.entity(answer.id)
                own = set(map(name_key, answer_names(answer)))
                lacking = [
                    name for name in (record.label, *record.aliases) if name and name_key(name) not in own
                ]
                if lacking:
                    findings.found(question, f"{answer.label} is also {some(lacking)}")


@QUALITY_CHECKS.register("misplaced-evidence")
class MisplacedEvidence(QualityCheck):
    """Evidence whose text is not in the corpus at the place it names."""

    severity = "error"
    unit = "pieces of evidence"
    needs = ("corpus",)

    def examine(self, material: Material, findings: Findings) -> None:
        assert material.corpus is not None
        pages: dict[str, list[tuple[Question, Evidence]]] = defaultdict(list)
        for question in material.questions:
            for _answer, piece in evidence_of(question):
                if piece.passage and piece.text:
                    pages[piece.passage.rpartition("__")[0]].append((question, piece))
        for page in sorted(pages):  # the corpus is sorted by page, so each part of it is read once
            on_page = PageText(material.corpus, page)
            for question, piece in pages[page]:
                findings.examined(question)
                if fault := on_page.fault(piece):
                    findings.found(question, f"{fault}: {piece.text}", fault.split()[0].strip(":,"))


class PageText:
    """The text of one page, to look up evidence in it."""

    def __init__(self, corpus: Corpus, page: str):
        self._corpus, self._page = corpus, page
        self._passages = {passage.id: fold(passage.text) for passage in corpus.passages(page)}

    @cached_property
    def _text(self) -> str:
        return self._corpus.text(self._page)

    def fault(self, piece: Evidence) -> str:
        """What is wrong with the place of a piece of evidence; empty if nothing is."""
        passage = self._passages.get(piece.passage or "")
        if passage is None:
            return f"no passage {piece.passage}"
        if fold(piece.text) not in passage:
            return f"elsewhere, not in passage {piece.passage}"
        if piece.start is not None and piece.end is not None:
            standing = self._text[piece.start : piece.end]
            if fold(standing) != fold(piece.text):
                return f"shifted: “{standing[:60]}” stands at {piece.start}"
        return ""
