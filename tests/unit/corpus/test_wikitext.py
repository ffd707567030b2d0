"""Wikitext to text: what each piece of markup must give, and that nothing can break it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markup_cases import CASES
from rollcall import RollcallError
from rollcall.corpus import Section, lists
from rollcall.corpus.wikitext import finish, parse, render, templates
from rollcall.corpus.wikitext.templates import load_rules

ROWS = [(group, wikitext, text) for group, rows in CASES.items() for wikitext, text in rows]


@pytest.mark.parametrize(("group", "wikitext", "text"), ROWS)
def test_markup_gives_its_text(group, wikitext, text):
    assert parse(wikitext).text == text.replace("|", "\n").replace("∣", "|")


OPEN_COMMENT = "One <!-- never closed. Two."
"""The only markup that hides all that follows, also on the next lines."""


def between_sentences(wikitext):
    return parse(f"The sentence before stands.\n\n{wikitext}\n\nThe sentence after stands.").text


@pytest.mark.parametrize("wikitext", [wikitext for _, wikitext, _ in ROWS if wikitext != OPEN_COMMENT])
def test_a_sentence_before_and_after_survives_any_markup_broken_or_not(wikitext):
    whole = between_sentences(wikitext)
    assert whole.startswith("The sentence before stands.")
    assert whole.endswith("The sentence after stands.")


def test_a_comment_that_is_never_closed_hides_what_follows():
    assert OPEN_COMMENT in [wikitext for _, wikitext, _ in ROWS]
    assert between_sentences(OPEN_COMMENT) == "The sentence before stands.\nOne"


LINKS = [
    ("A [[river]] flows.", [("river", "River")]),
    ("A [[River Tal|river]]s flow.", [("rivers", "River Tal")]),
    ("The [[Tal#Course|course]] and [[#Top|top]].", [("course", "Tal")]),
    ("In [[new_orm]] and [[ New Orm ]]", [("new orm", "New orm"), ("New Orm", "New Orm")]),
    ("In [[New%20Orm|it]]", [("it", "New Orm")]),
    ("See [[Mercury (planet)|]].", [("Mercury", "Mercury (planet)")]),
    ("''[[Tal|{{lang|fr|le Tal}}]]'' here", [("le Tal", "Tal")]),
    ("[[File:A.jpg|thumb|A [[view]]]] and [[Orm]]", [("Orm", "Orm")]),
    ("[[Category:X]] [[fr:Orm]] [[wikt:orm|orm]] [[:Category:X|x]] [[User:A|a]]", []),
    ("{{flag|Vell}} and {{ill|Ann Orne|fr|Anne}} and {{sortname|Bert|Vale|dab=poet}}",
     [("Vell", "Vell"), ("Ann Orne", "Ann Orne"), ("Bert Vale", "Bert Vale (poet)")]),
    ("A [[Caf&eacute;|café]] in [[Orm|Orm<ref>note</ref>]].", [("café", "Café"), ("Orm", "Orm")]),
    ("[[a]]<ref>[[b]]</ref> <!-- [[c]] --> <nowiki>[[d]]</nowiki>", [("a", "A")]),
]  # fmt: skip


@pytest.mark.parametrize(("wikitext", "links"), LINKS)
def test_links_keep_anchor_and_target(wikitext, links):
    content = parse(wikitext)
    assert [(content.text[link.start : link.end], link.target) for link in content.links] == links


TABLES = [
    ("{|\n! A !! B\n|-\n| 1 || 2\n|}", ["A", "B"], [["1", "2"]]),
    ("{| class=x\n|+ Cap\n|-\n! A\n! B\n|-\n| 1\n| 2\n|-\n| 3\n| 4\n|}",
     ["A", "B"], [["1", "2"], ["3", "4"]]),
    ("{|\n! A !! B\n|-\n| rowspan=2 | x || 1\n|-\n| 2\n|}", ["A", "B"], [["x", "1"], ["x", "2"]]),
    ('{|\n! A !! B !! C\n|-\n| colspan="2" | x || 1\n|}', ["A", "B", "C"], [["x", "x", "1"]]),
    ("{|\n! rowspan=2 | A !! colspan=2 | B\n|-\n! C !! D\n|-\n| 1 || 2 || 3\n|}",
     ["A", "B C", "B D"], [["1", "2", "3"]]),
    ("{|\n! A !! B\n|-\n! scope=row | x\n| 1\n|}", ["A", "B"], [["x", "1"]]),
    ("{|\n| 1 || 2\n|-\n| 3 || 4\n|}", [], [["1", "2"], ["3", "4"]]),
    ("{|\n! A !! B\n|-\n| [[x|y]] || {{lang|fr|a{{!}}b}}\n|}", ["A", "B"], [["y", "a|b"]]),
    ("{|\n! A\n|-\n| style=\"x\" | one<br>two<ref>n</ref>\n|}", ["A"], [["one two"]]),
    ("{|\n! A\n|-\n| a [[b|c]] | d\n|}", ["A"], [["a c | d"]]),
    ("{|\n! A !! B\n|-\n| 1\n|-\n| 2 || 3 || 4\n|}", ["A", "B", ""], [["1", "", ""], ["2", "3", "4"]]),
    ("{|\n! A\n|-\n| text\n* one\n* two\n|}", ["A"], [["text one two"]]),
    ("{|\n! A !! B\n|-\n| rowspan=9 | x || 1\n|}", ["A", "B"], [["x", "1"]]),
    (":{|\n! A\n|-\n| 1\n|}", ["A"], [["1"]]),
    ("{|\n! A !! B\n|-\n| 1 || 2", ["A", "B"], [["1", "2"]]),
]  # fmt: skip


@pytest.mark.parametrize(("wikitext", "header", "rows"), TABLES)
def test_tables_become_grids(wikitext, header, rows):
    content = parse(f"Before.\n{wikitext}\n\nAfter.")
    assert content.text == "Before.\nAfter."
    (table,) = content.tables
    assert table.header == header
    assert [[cell.text for cell in row] for row in table.rows] == rows


def test_a_table_within_a_table_becomes_a_table_of_its_own():
    content = parse("Before.\n{|\n! A\n|-\n|\n{|\n! N\n|-\n| inner\n|}\n|}\n\nAfter.")
    assert content.text == "Before.\nAfter."
    assert [[cell.text for cell in table.rows[0]] for table in content.tables] == [["inner"], [""]]


def test_a_table_keeps_section_caption_and_links():
    table = parse(
        "== Films ==\n=== Early ===\n{|\n|+ All [[films]]\n! A\n|-\n| [[x]] and [[y|z]], [[x]]\n|}"
    ).tables[0]
    assert (table.section, table.caption) == ("Films -- Early", "All films")
    assert table.rows[0][0].links == ("X", "Y")


def test_sections_say_under_which_heading_the_text_stands():
    content = parse("Lead.\n== A ==\nOne.\n=== ''B'' ===\nTwo.\n== C ==\nThree.")
    assert content.text == "Lead.\nOne.\nTwo.\nThree."
    assert content.sections == [Section(6, "A"), Section(11, "A -- B"), Section(16, "C")]


def test_redirects_and_lists_of_namesakes_are_told():
    assert parse("#REDIRECT [[Orm (city)#History]]").redirect == "Orm (city)"
    assert parse("'''Orm''' may be:\n* [[A]]\n{{disambig}}").disambiguation
    assert parse("x", "Orm (disambiguation)").disambiguation
    assert not parse("'''Orm''' is a city.").disambiguation


def test_what_is_mended_is_noted():
    assert parse("fine [[a]] {{nowrap|b}}").problems == []
    assert parse("{|\n| a").problems == ["unclosed table"]
    assert parse("a {{b").problems == ["unclosed template"]
    assert parse("a <!-- b").problems == ["unclosed comment"]


def test_unknown_templates_are_counted_so_that_rules_can_be_added(tmp_path):
    wikitext = "The {{gizmo|big|red}} thing. {{gizmo|x}}"
    assert parse(wikitext).unknown_templates == {"gizmo": 2}
    rules = tmp_path / "rules.toml"
    rules.write_text('[show]\n"{2|1}< ({size})>" = ["Gizmo"]\n[drop]\nnames = ["nowrap"]\n', encoding="utf-8")
    assert parse(wikitext + " {{nowrap|gone}}", templates=rules).text == "The red thing. x"


@pytest.mark.parametrize(
    "content",
    ["[show", '[show]\n"{1}>" = ["x"]', '[show]\n"<{1}" = ["x"]', '[show]\n"@nope" = ["x"]', b"\xff\xfe"],
)
def test_a_mistake_in_template_rules_is_one_line(tmp_path, content):
    rules = tmp_path / "rules.toml"
    rules.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(RollcallError, match="rule"):
        load_rules(rules)


PIECES = st.sampled_from(
    [
        "[[", "]]", "{{", "}}", "{{{", "}}}", "|", "\n", "\n\n", "\n{|", "\n|}", "\n|-", "\n| ", "\n! ",
        "!!", "||", "=", "\n==", "==", "\n*", "\n;", ":", "<ref>", "</ref>", "<ref name=a/>", "<!--",
        "-->", "<nowiki>", "</nowiki>", "<br>", "<div>", "</div>", "<gallery>", "</gallery>", "<math>",
        "'''", "''", "[http://x.example ", "site] ", "File:", "Category:", "lang|fr|", "convert|5|km",
        "nowrap|", "#if:x|", "__TOC__", "&nbsp;", "&eacute;", "word", "Other words.", " ", "é", "中",
        "rowspan=3 |", "colspan=999 |", "\x00", "\x03", "#REDIRECT", "<span style='display:none'>",
        "</span>", "1,5",
    ]
)  # fmt: skip
SOUP = st.lists(PIECES, max_size=60).map("".join)
LEFT_OVER = re.compile(r"\[\[|\]\]|\{\{|\}\}|\n\{\||<ref|</ref|<nowiki|[\x00-\x08]")


@settings(max_examples=400, deadline=None)
@given(SOUP)
def test_any_markup_is_rendered_without_leaving_marks(wikitext):
    content = parse(wikitext, "Orm")
    raw = "nowiki" in wikitext or "<pre" in wikitext
    assert raw or not LEFT_OVER.search(content.text)
    assert content.text == content.text.strip()
    for link in content.links:
        assert content.text[link.start : link.end].strip()
    for table in content.tables:
        assert len({len(row) for row in table.rows} | ({len(table.header)} if table.header else set())) == 1


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_is_rendered(text):
    content = parse(text, text)
    assert all(0 <= link.start < link.end <= len(content.text) for link in content.links)


class CountingPattern:
    """A pattern that counts how many characters it goes over."""

    work = 0

    def __init__(self, pattern):
        self._pattern = pattern

    def _count(self, match, text, start, end):
        CountingPattern.work += 1 + ((match.end() if match else min(end, len(text))) - start)
        return match

    def search(self, text, start=0, end=1 << 60):
        return self._count(self._pattern.search(text, start, end), text, start, end)

    def match(self, text, start=0, end=1 << 60):
        found = self._pattern.match(text, start, end)
        CountingPattern.work += 1 + (found.end() - start if found else 0)
        return found

    def __getattr__(self, name):
        CountingPattern.work += 1
        return getattr(self._pattern, name)


PATHOLOGICAL = [
    "[[", "{{", "{{{", "]]", "}}", "[[a|", "{{a|", "{{nowrap|", "{{nowrap|[[", "\n{|", "\n{|\n|",
    "<ref>", "<nowiki>", "<ref><nowiki>", "<!--", "<div ",
    "<div a=\"", "<div a='b=\"", "[http://a ", "''", "'''", "''a'''", "\n== ",
    "\n* ", "\n;", "{{#if:", "(", "{{x}}(", ", {{x}}", "[[File:", "[[File:a|[[b]]", "\n| a", "\n! ",
    "{|", "|}", "&", "&#", "__", "<span style='display:none'>", "{{lang|fr|{{nowrap|",
    "{|\n|-\n|colspan=1000|a", "<math>", "[[a]]", "{{a}}", "http://", "= ", "\n ", "\n\n", "{{{1|",
]  # fmt: skip


@pytest.mark.parametrize("piece", PATHOLOGICAL)
def test_work_grows_in_step_with_length_however_bad_the_nesting(piece, monkeypatch):
    """Twice the text may cost little more than twice the characters gone over and calls made."""
    for module in (render, finish, finish, render, render, templates, lists):
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                monkeypatch.setattr(module, name, CountingPattern(value))
    costs = []
    for size in (4_000, 8_000):
        CountingPattern.work = 0
        parse((piece * size)[: size * 4])
        costs.append(CountingPattern.work)
    assert costs[1] <= 2.2 * costs[0] + 1000


def test_a_page_of_megabytes_is_read():
    page = "'''Orm''' is a [[city]]. {{nowrap|It}} is old.<ref>{{cite web|title=x}}</ref>\n\n" * 40_000
    content = parse(page)
    assert content.text.count("Orm is a city. It is old.") == 40_000
    assert len(content.links) == 40_000
