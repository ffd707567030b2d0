"""A world as pages: links and markup, sentences and tables, and that the truth about them is true."""

import re
from collections import Counter, defaultdict
from typing import Any

from world_reading import DECOYS, ENTITIES, UNTOLD, Files, label, links, plain, read_table, shared_world

world = shared_world
_NEVER_TOLD = {"P21", "P214", "P1705"}


def test_homonyms_have_parentheses_and_a_disambiguation_page(world: Files) -> None:
    by_label = defaultdict(list)
    for item in world.items.values():
        if item["sitelinks"]:
            by_label[label(item)].append(item["sitelinks"]["enwiki"]["title"])
    doubled = {name: titles for name, titles in by_label.items() if len(titles) > 1}
    assert len(doubled) >= 20
    for name, titles in doubled.items():
        assert len(set(titles)) == len(titles)
        page = world.pages.get(name) or world.pages[f"{name} (disambiguation)"]
        if "{{disambiguation}}" not in page.text:
            page = world.pages[f"{name} (disambiguation)"]
        assert set(links(page.text)) >= set(titles)
    assert sum(title.endswith(")") for titles in by_label.values() for title in titles) >= 60


def test_sitelinks_and_links_lead_to_pages(world: Files) -> None:
    for item in world.items.values():
        if "enwiki" in item["sitelinks"]:
            assert item["sitelinks"]["enwiki"]["title"] in world.pages
    anchors = 0
    for page in world.pages.values():
        for target in links(page.text):
            title = target[0].upper() + target[1:]
            assert target in world.pages or title in world.pages, (page.title, target)
            anchors += 1
        if page.redirect is not None:
            assert page.redirect in world.pages
            assert page.text.startswith(f"#REDIRECT [[{page.redirect}]]")
    assert anchors > 5 * ENTITIES
    assert sum(page.redirect is not None for page in world.pages.values()) > 100
    assert {page.namespace for page in world.pages.values()} >= {0, 1, 10, 14}


def test_pages_use_the_markup_of_real_articles(world: Files) -> None:
    everything = "\n".join(page.text for page in world.pages.values())
    for mark in (
        "{{Infobox film", "{{convert|", "{{lang|", "{{nowrap|", "{{start date|", "{{birth date|", "<ref>{{",
        '<ref name="', "/>", "<!--", "[[Category:", "{{DEFAULTSORT:", "|thumb|", "'''''", "{{'s}}", "&nbsp;",
        "rowspan=", "colspan=", "{{dts|", "{{About|", "{{plainlist|", "|+ ", "== See also ==",
    ):  # fmt: skip
        assert mark in everything, mark
    anchored = re.findall(r"\[\[([^\[\]|:]*)\|([^\[\]|]*)\]\]", everything)
    assert sum(not title.startswith(anchor) for title, anchor in anchored) > 500


def test_told_facts_are_on_their_page_word_for_word(world: Files) -> None:
    text = {title: plain(page.text) for title, page in world.pages.items()}
    told = [row for row in world.rows("fact") + world.rows("decoy") if row["sentence"] is not None]
    assert len(told) > 6 * ENTITIES
    for row in told:
        assert row["sentence"] in text[row["page"]], (row["page"], row["sentence"])
        assert not re.search(r"[\[\]{}|]|''|<ref|&nbsp;|%", row["sentence"]), row["sentence"]
        assert re.match(r"[\"A-ZÀ-Ž0-9$]", row["sentence"]), row["sentence"]
        assert re.search(r"[.!?]\"?$", row["sentence"]), row["sentence"]


def test_each_statement_is_told_or_untold_never_both(world: Files) -> None:
    statements = {
        claim["id"]: (item["id"], property_, claim)
        for item in world.items.values()
        if int(item["id"][1:]) > 200_000_000
        for property_, claims in item["claims"].items()
        for claim in claims
        if claim["mainsnak"]["snaktype"] == "value" and claim["rank"] != "deprecated"
    }
    fates: dict[str, set[bool]] = defaultdict(set)
    for row in world.rows("fact"):
        subject, property_, claim = statements[row["statement"]]
        assert (row["subject"], row["relation"], row["rank"]) == (subject, property_, claim["rank"])
        assert row["ended"] == ("P582" in claim.get("qualifiers", {}))
        value = claim["mainsnak"]["datavalue"]["value"]
        if isinstance(value, dict) and "id" in value:
            assert row["object"] == value["id"]
        fates[row["statement"]].add(row["sentence"] is not None)
    assert set(fates) == set(statements)
    assert all(len(fate) == 1 for fate in fates.values())


def test_the_share_of_untold_facts_is_the_one_asked_for(world: Files) -> None:
    facts = {r["statement"]: r for r in world.rows("fact") if r["relation"] not in {*_NEVER_TOLD, "P31"}}
    share = sum(row["sentence"] is None for row in facts.values()) / len(facts)
    assert abs(share - UNTOLD) < 0.015
    silent = {row["relation"] for row in world.rows("fact") if row["sentence"] is not None} & _NEVER_TOLD
    assert not silent


def _names(world: Files, id_: str) -> list[str]:
    item = world.items[id_]
    name = label(item)
    aliases = [entry["value"] for entry in item["aliases"].get("en", ())]
    return [name, *aliases, name.rsplit(" ", 1)[-1]]


def test_decoys_name_both_entities_and_tell_nothing(world: Files) -> None:
    decoys = world.rows("decoy")
    facts = {(s, p, o) for s, p, o in world.facts}
    told = {(row["page"], row["sentence"]) for row in world.rows("fact")}
    items = {row["statement"] for row in world.rows("fact") if row["object"].startswith("Q")}
    assert 0.6 * DECOYS < len(decoys) / len(items) < 1.2 * DECOYS
    shapes: Counter[str] = Counter()
    for row in decoys:
        sentence = row["sentence"]
        assert row["ended"] or (row["subject"], row["relation"], row["object"]) in facts
        assert (row["page"], sentence) not in told
        for end in (row["subject"], row["object"]):
            names = sorted(_names(world, end), key=len, reverse=True)
            assert any(name in sentence for name in names), (sentence, names)
        shapes[re.sub(r"[A-ZÀ-Ž]\S*", "X", sentence)] += 1
    assert len(shapes) > 60


def test_every_wording_of_a_decoy_names_both_ends() -> None:
    from rollcall.world._vocabulary import DECOYS as ANY
    from rollcall.world._vocabulary import RELATIONS

    tables = [*ANY.values(), *(relation.decoy_wordings for relation in RELATIONS)]
    for wording in (wording for table in tables for wording in table):
        ends = {slot.removesuffix("'s") for slot in wording.slots}
        assert ends >= {"S", "O"}, wording.form


def test_a_name_that_ends_in_a_full_stop_ends_the_sentence() -> None:
    from rollcall.world._sentences import WrittenSentence

    linked, bare = WrittenSentence("[[Ox Ltd.]].", "Ox Ltd.."), WrittenSentence("Ox Ltd..", "Ox Ltd..")
    linked.end_once()
    bare.end_once()
    assert (linked.wiki, linked.plain, bare.wiki, bare.plain) == ("[[Ox Ltd.]]", *["Ox Ltd."] * 3)


def test_relations_are_worded_in_at_least_four_ways(world: Files) -> None:
    from rollcall.world._vocabulary import RELATIONS

    for relation in RELATIONS:
        assert relation.id in _NEVER_TOLD or len(relation.wordings) >= 4, relation.id
        assert not relation.ends or len(relation.past_wordings) >= 3 or relation.source == "external"
    used = defaultdict(set)
    for row in world.rows("fact"):
        if row["wording"]:
            used[row["relation"]].add(row["wording"])
    assert sum(len(wordings) >= 4 for wordings in used.values()) >= 80


def test_facts_that_ended_are_told_in_the_past_with_their_ending(world: Files) -> None:
    ended = [row for row in world.rows("fact") if row["ended"] and row["wording"]]
    assert len(ended) > 100
    ends = {
        claim["id"]: claim["qualifiers"]["P582"][0]["datavalue"]["value"]["time"][1:5]
        for item in world.items.values()
        for claims in item["claims"].values()
        for claim in claims
        if "P582" in claim.get("qualifiers", {})
    }
    for row in ended:
        assert ends[row["statement"]] in row["sentence"], row["sentence"]


def test_pronouns_and_double_sentences_occur(world: Files) -> None:
    told = [row for row in world.rows("fact") if row["wording"]]
    pronouns = [row for row in told if row["pronoun"]]
    assert len(pronouns) > 0.05 * len(told)
    several = Counter((row["page"], row["sentence"]) for row in told)
    assert sum(count > 1 for count in several.values()) > 100


def test_lists_are_tables_whose_cells_are_the_truth(world: Files) -> None:
    cells: dict[str, dict[tuple[int, int], list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in world.rows("cell"):
        cells[row["page"]][row["row"], row["column"]].append(row)
    lists = {title for title in world.pages if title.startswith("List of ")}
    assert set(cells) == lists
    assert len(lists) >= 60
    for title in lists:
        grid = read_table(world.pages[title].text)
        expected = {place: rows[0]["text"] for place, rows in cells[title].items()}
        found = {(r, c): text for r, row in enumerate(grid) for c, text in enumerate(row)}
        assert found == expected, title
        assert len({len(row) for row in grid}) == 1, title
        for rows in cells[title].values():
            for row in rows:
                if row["object"] is not None and row["object"].startswith("Q"):
                    assert label(world.items[row["object"]]) in row["text"]


def test_cells_equal_the_statements_of_their_row(world: Files) -> None:
    statements = {row["statement"]: row for row in world.rows("fact")}
    checked = 0
    for row in world.rows("cell"):
        if row["statement"] is not None:
            fact = statements[row["statement"]]
            assert (row["subject"], row["relation"], row["object"]) == (
                fact["subject"],
                fact["relation"],
                fact["object"],
            )
            checked += 1
    assert checked > 500


def test_named_references_are_given_once_before_they_are_repeated(world: Files) -> None:
    repeated = 0
    for page in world.pages.values():
        given: set[str] = set()
        for name, closed in re.findall(r'<ref name="([^"]*)"( /)?>', page.text):
            assert (name in given) == bool(closed), (page.title, name)
            given.add(name)
            repeated += bool(closed)
    assert repeated > 20


def test_sentences_are_free_of_slips(world: Files) -> None:
    ranges = [label(world.items[s]) for s, p, o in world.facts if p == "P31" and o == "Q46831"]
    assert ranges
    plural = re.compile("(?:^|[.?!] )The (?:" + "|".join(map(re.escape, ranges)) + r") (\w+s)\b")
    for page in world.pages.values():
        text = plain(page.text)
        assert not re.search(r"\.\.|\$\d+,\d{1,2}\b|\$\d+,\d{4}", text), page.title
        assert not plural.search(text), plural.search(text)
        also = page.text.partition("== See also ==")[2].partition("==")[0]
        assert len(links(also)) == len(set(links(also))), page.title


def test_pictures_are_no_older_than_what_they_show(world: Files) -> None:
    begins = {}
    for item in world.items.values():
        for property_ in ("P569", "P571", "P577", "P580", "P585", "P729"):
            for claim in item["claims"].get(property_, ()):
                if claim["rank"] != "deprecated" and "enwiki" in item["sitelinks"]:
                    time = claim["mainsnak"]["datavalue"]["value"]["time"]
                    begins[item["sitelinks"]["enwiki"]["title"]] = int(time[:5])
    seen = 0
    for title, page in world.pages.items():
        for year in re.findall(r"\[\[File:[^|]* (\d{4})\.jpg|\(photograph of (\d{4})\)", page.text):
            taken = int(year[0] or year[1])
            assert begins.get(title, 1850) <= taken >= 1850, (title, taken)
            seen += 1
    assert seen > 100


def test_early_years_are_written_so_that_they_are_read_as_years(world: Files) -> None:
    early = [row for row in world.rows("fact") if re.match(r"@0[0-4]", row["object"]) and row["sentence"]]
    for row in early:
        assert f"AD {int(row['object'][1:5])}" in row["sentence"], row["sentence"]
    assert early
