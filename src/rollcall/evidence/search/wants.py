"""What each page is searched for (its wants): the facts about its topic, and the names to find.

Input: `facts`, and the tables of a graph and a corpus. Output: `wants.arrow` and `topics.arrow`. Each fact is
searched for on the page of its subject and on that of its object. The wants are one table sorted by page, so
that a page is read once for all its facts. The engine makes both tables within its memory limit, for any
number of facts.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall.evidence.arrow_files import write_arrow
from rollcall.evidence.names.forms import BETWEEN
from rollcall.evidence.names.of_ends import JoinedNames, names_of_relations, sought
from rollcall.evidence.table import FACT
from rollcall.tables.corpus import Ties
from rollcall.tables.engine import Workbench
from rollcall.tables.evidence import PageTopics, PageWants
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import Rows, String, Table, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir


class Asked(Table):
    """A fact with a page to search for it."""

    page = PageWants.page
    subject = PageWants.subject
    relation = PageWants.relation
    object = PageWants.object
    literal = PageWants.literal
    side = PageWants.side
    topic = String("the end of the fact that the page is about")
    other = String("the other end")


def write_wants(bench: Workbench, folder: Path, *, objects_pages: bool = True) -> tuple[int, int]:
    """Write `wants.arrow` and `topics.arrow`; returns the number of facts, and of those with a page.

    Without `objects_pages` only the pages of the subjects are searched.
    """
    bench.keep(Asked, asked if objects_pages else asked_of_subjects)
    write_arrow(bench, PageWants, wants, folder)
    write_arrow(bench, PageTopics, topics, folder)
    (counted,) = bench.records(counts)
    return int(counted["facts"]), int(counted["searchable"])


def asked_of_subjects() -> Rows[Asked]:
    """Each fact with the page of its subject, the side it is on, and the other end."""
    rows, ties = sought(), unbound(Ties, "corpus_ties")
    found = rows.join(ties, rows.subject == ties.entity).select(
        "page", *FACT, side=ibis.literal("subject"), topic=_.subject, other=_.object
    )
    return shaped(Asked, found)


def asked() -> Rows[Asked]:
    """The same, and also with the pages of objects."""
    rows, ties = sought().filter(~_.literal & (_.subject != _.object)), unbound(Ties, "corpus_ties")
    of_object = rows.join(ties, rows.object == ties.entity).select(
        "page", *FACT, side=ibis.literal("object"), topic=_.object, other=_.subject
    )
    return shaped(Asked, asked_of_subjects().union(of_object))


def without_page() -> Rows[ProvableFacts]:
    """The facts that no page is asked for."""
    return shaped(ProvableFacts, sought().anti_join(unbound(Asked), list(FACT)))


def wants() -> Rows[PageWants]:
    """What each page is searched for: the names of the other end, or nothing if it is a value."""
    rows, known = unbound(Asked), unbound(JoinedNames)
    joined = rows.left_join(known, (rows.other == known.entity) & ~rows.literal)
    joined = joined.select(
        "page",
        *FACT,
        "side",
        names=ibis.coalesce(_.names, _.other),
        label=ibis.coalesce(_.label, _.other),
    )
    also = names_of_relations()
    named = joined.left_join(
        also,
        (joined.side == "subject") & (joined.relation == also.relation) & (joined.object == also.entity),
    )
    names = named.names + ibis.coalesce(BETWEEN + named.words, "")
    return shaped(PageWants, named.select("page", *FACT, "side", "label", names=names))


def topics() -> Rows[PageTopics]:
    """The topic of every page that is searched, with its names."""
    rows, known = unbound(Asked).select("page", "topic").distinct(), unbound(JoinedNames)
    named = rows.left_join(known, rows.topic == known.entity).select(
        "page", "topic", names=ibis.coalesce(_.names, _.topic), label=ibis.coalesce(_.label, _.topic)
    )
    return shaped(PageTopics, named)


def counts() -> "ir.Table":
    """The number of facts, and of those with a page."""
    found = unbound(Asked).select(*FACT).distinct()
    return sought().agg(facts=_.count()).cross_join(found.agg(searchable=_.count()))
