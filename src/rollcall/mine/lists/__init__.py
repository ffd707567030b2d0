"""Questions from list pages, such as "List of museums in Ostrell".

Input: the tables of list pages in a corpus, and a graph. Output: `queries` and `proofs`, `list_facts` (what
the lists state), `related` (the same as facts of the graph), and `table_facts` and `table_values` (tables for
a graph).

- `TableSimple`, `TableComposition`: the kinds.
- `columns`: reads the tables of list pages, the names of lists, and what each column says.
- `queries`: makes queries from columns, and draws from those that text proves.
- `mine`: runs all steps, and finds the relation of the graph that a list or a column stands for.
"""

import msgspec

from rollcall.corpus.lists import MEMBERSHIP
from rollcall.mine.kinds import KINDS, LIMITS, Mined, MiningContext, Positive, QuestionKind, Share
from rollcall.query import Entity, Query


class TableKeys(msgspec.Struct, frozen=True):
    """Questions about pages "List of X"."""

    use: bool = True
    """Whether there are questions about lists."""
    prefix: str = "List of"
    """The beginning of the titles of lists."""
    linked: Share = 0.8
    """The least share of a list's rows that must be entities of the graph."""
    per_column: Positive = 6
    """The most compositions of one column that are kept, of those that text proves."""
    per_list: Positive = 12
    """The most compositions of one list that are kept."""
    membership: bool = False
    """Whether text must also prove that an answer to a composition is on the list, not only what its row
    says.
    """
    within_sentence: bool = False
    """Whether one sentence, and not only the whole page, must say that an entity is on a list."""


class _OfTables(QuestionKind):
    section = "tables"
    Options = TableKeys
    of_lists = True
    reads = ("corpus",)
    sections = ("answers",)

    @classmethod
    def split_keys(cls, query: Query) -> tuple[str, ...]:
        """The list."""
        of_list = (edge.object for edge in query.edges if edge.relation == MEMBERSHIP)
        return tuple(node.id for node in of_list if isinstance(node, Entity))

    @classmethod
    def mine(cls, options: TableKeys, context: MiningContext) -> Mined:
        """Mine questions about lists from the tables of the corpus."""
        from rollcall.mine.lists.mine import mine_lists
        from rollcall.mine.lists.queries import ListQueryOptions

        query_options = ListQueryOptions(
            prefix=options.prefix,
            min_answers=context.least,
            max_answers=context.most,
            linked=options.linked,
            membership=options.membership,
        )
        result = mine_lists(context.given_corpus, context.folder, query_options, context.engine)
        return Mined(result.queries, result.removed, {**LIMITS, "linked": "tables.linked"})


@KINDS.register("table-simple")
class TableSimple(_OfTables):
    """What is on a list: "What are the lakes of Norrow?"."""

    name = "table-simple"
    quota = 170
    in_test = "always"


@KINDS.register("table-composition")
class TableComposition(_OfTables):
    """Which entries of a list have a value in a column: "Which lakes of Norrow are in Ostrell?"."""

    name = "table-composition"
    quota = 200
