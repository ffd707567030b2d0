"""Names that a title capitalised and text writes small: Pitcher, of whom text says that he "was a pitcher".

Titles begin with a capital whatever they name, so that a name alone does not tell a position from a film.
The page about the thing does: a common noun's page calls it "a pitcher" or "the pitcher" in its first
sentence, or writes it small again and again, and never with a capital inside a sentence. These names are
looked for in small letters too.
"""

from typing import Any

import ibis
from ibis import _

from rollcall.engine import Query, Workbench

_CAPITALISED = r"^[A-Z][a-z]{2,}([ -][A-Za-z][a-z]*)*$"
_AGAIN = 2
"""So many sentences must write a name small where the first one does not put an article before it."""
_WRITTEN = {"entity": "string", "name": "string", "number": "int32", "text": "string"}
_NAMED = {"page": "string", "entity": "string", "text": "string"}


def keep_common_nouns(bench: Workbench, names: Query) -> None:
    """Keep `common_nouns`: those of some entities' names that are, in small letters."""
    bench.keep("capitalised_names", lambda: _capitalised_names(names()))
    for query in (small_names, written_sentences, common_nouns):
        bench.keep(query.__name__, query)


def _capitalised_names(names: Any) -> Any:
    """Names with capitals that may be a title's only, with the page of what they name."""
    ties = ibis.table({"entity": "string", "page": "string", "tie": "string"}, name="corpus_ties")
    plain = names.filter(_.text.re_search(_CAPITALISED))
    return plain.join(ties.select("entity", "page"), "entity").select(*_NAMED)


def _own_sentences(names: Any) -> Any:
    """Names with the sentences of the page of what they name."""
    sentences = ibis.table({"page": "string", "number": "int32", "text": "string"}, name="corpus_sentences")
    return names.rename(name="text").join(sentences, "page")


def small_names() -> Any:
    """The names that their page may write in small letters: few, and only these are looked at closely."""
    names = ibis.table(_NAMED, name="capitalised_names")
    rows = _own_sentences(names).filter(_.text.contains(_.name.lower()))
    return rows.select("page", "entity", text="name").distinct()


def written_sentences() -> Any:
    """The sentences that hold such a name, in small letters or not."""
    rows = _own_sentences(ibis.table(_NAMED, name="small_names"))
    return rows.filter(_.text.contains(_.name.lower()) | _.text.contains(" " + _.name)).select(*_WRITTEN)


def common_nouns() -> Any:
    """The names that turn out to be common nouns, in small letters."""
    rows = ibis.table(_WRITTEN, name="written_sentences")
    small = rows.name.lower()
    inside = r"[\p{Ll}\d,;:)] " + rows.name + r"($|[^\pL\d ]| [^\p{Lu}])"
    told = rows.mutate(
        small=rows.text.re_search(r"\b" + small + r"\b"),
        introduced=(rows.number == 0)
        & ~rows.text.startswith(rows.name)
        & rows.text.re_search(r"\b([Aa]n?|[Tt]he) " + small + r"\b"),
        capital=rows.text.re_search(inside),
    )
    counted = told.group_by("entity", "name").agg(
        small=_.small.cast("int64").sum(),
        introduced=_.introduced.any(),
        capital=_.capital.any(),
    )
    nouns = counted.filter(~_.capital & (_.introduced | (_.small >= _AGAIN)))
    return nouns.select("entity", text=_.name.lower())
