"""The stages that mine: one for every kind of question, and one that finds out what lists stand for.

Input: a graph or a corpus, and for kinds that start from simple queries the proved ones. Output: `queries`,
`proofs`, and `facts` for which evidence is needed; kinds whose answers need not be proved also write
`answers`.
"""

from typing import Any

from rollcall.build.lexicon import build_lexicon
from rollcall.build.stage import Inputs, Outcome, Work, filtered
from rollcall.mine.kinds import MiningContext, Proved, QuestionKind
from rollcall.wording import Lexicon


def mine(parameters: Any, inputs: Inputs, kind: type[QuestionKind], start: str | None, work: Work) -> Outcome:
    """Mine the queries of a kind, from the proved simple queries of the stage `start` if there is one."""
    options: dict[str, Any] = {}
    notes: list[str] = []
    if "wording" in kind.sections:
        options["lexicon"] = build_lexicon(parameters.wording)
    if "answers" in kind.sections:
        least = parameters.answers_of(kind.place()).least
        options |= {"least": least, "most": parameters.most_in_graph}
    if kind.relations:
        from rollcall.build.relations import choose, knows_graph
        from rollcall.mine.relations import BOOKKEEPING

        choice = choose(inputs.graph, parameters, kind.relations)
        excluded = (*BOOKKEEPING, *parameters.relations.excluded)
        options |= {"relations": choice.relations, "types": choice.types, "excluded": excluded}
        options["lexicon_knows_graph"] = knows_graph(inputs.graph, parameters, Lexicon.load())
        notes.append(choice.why)
    context = MiningContext(
        inputs.graph,
        work.folder,
        work.engine,
        inputs.given_corpus,
        parameters.seed,
        show_progress=work.show_progress,
        proved=None if start is None else _proved(start, work),
        **options,
    )
    mined = kind.mine(getattr(parameters, kind.place()), context)
    return filtered(
        mined.queries, mined.removed, mined.change, notes=[*notes, *mined.notes], counts=mined.counts
    )


def _proved(start: str, work: Work) -> Proved:
    return Proved(
        queries=work.table(start, "kept"),
        answers=work.table(start, "validated"),
        groups=[work.table("simple", name) for name in ("groups", "vague_groups")],
        proofs=[work.table("simple", name) for name in ("proofs", "vague_proofs")],
        facts=work.table("simple", "facts"),
    )


def table_relations(inputs: Inputs, work: Work) -> Outcome:
    """Find the relations of the graph that lists stand for, and list the facts that the lists then state."""
    from rollcall.mine.lists.mine import relate_lists

    facts = relate_lists(
        inputs.graph,
        work.table("tables", "list_facts"),
        work.table("tables", "proofs"),
        work.folder,
        work.engine,
    )
    return Outcome(facts)
