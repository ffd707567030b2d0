"""HTML pages to the same content that wikitext gives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall.corpus import Section
from rollcall.corpus.html import parse_html

PAGE = """<!DOCTYPE html><html><head><title>Orm</title><style>p {}</style></head><body>
<section data-mw-section-id="0"><div class="shortdescription">City</div>
<div class="hatnote">For the river, see Tal.</div>
<table class="infobox"><tbody><tr><th>Name</th><td>Orm</td></tr></tbody></table>
<p><b>Orm</b> (<span class="IPA">/ɔrm/</span>; born 1950) is a
<a rel="mw:WikiLink" href="./City" title="City">city</a> in
<a rel="mw:WikiLink" href="./New_Vell#Top">New&nbsp;Vell</a>.<sup class="mw-ref reference"><a
href="#n1">[1]</a></sup> It's &amp;amp; ''old''.</p>
</section><section data-mw-section-id="1"><h2 id="Life">Life</h2><p>It grew. See <a rel="mw:ExtLink" href="https://x.example">this</a>
and <a href="./File:A.jpg">that</a>.</p><ul><li>One</li><li>Two <a href="./Three_(3)%3F">three</a></li></ul>
<figure><img src="x"><figcaption>A view</figcaption></figure>
<table class="wikitable"><caption>All</caption><tbody><tr><th>A</th><th>B</th></tr>
<tr><td rowspan="2">x</td><td><a href="./Y">y</a><br>z</td></tr>
<tr><td>w<span style="display:none">key</span></td></tr></tbody></table>
<h3>Later</h3><blockquote><p>Said he.</p></blockquote>Loose words.</section>
<div class="navbox">Navigation</div><script>var x;</script></body></html>"""


def test_a_rendered_page_gives_text_links_sections_and_tables():
    content = parse_html(PAGE)
    assert content.text.split("\n") == [
        "Orm (born 1950) is a city in New Vell. It's &amp; ''old''.",
        "It grew. See this and that.",
        "One",
        "Two three",
        "Said he.",
        "Loose words.",
    ]
    assert [(content.text[link.start : link.end], link.target) for link in content.links] == [
        ("city", "City"),
        ("New Vell", "New Vell"),
        ("three", "Three (3)?"),
    ]
    starts = [content.text.index("It grew"), content.text.index("Said he")]
    assert content.sections == [Section(starts[0], "Life"), Section(starts[1], "Life -- Later")]
    (table,) = content.tables
    assert (table.section, table.caption, table.header) == ("Life", "All", ["A", "B"])
    assert [[cell.text for cell in row] for row in table.rows] == [["x", "y z"], ["x", "w"]]
    assert table.rows[0][1].links == ("Y",)


@pytest.mark.parametrize(
    ("html", "text", "cells"),
    [
        ("", "", []),
        ("<", "<", []),
        ("<table><tr><td>x", "", ["x"]),
        ("<p>a<p>b", "a\nb", []),
        ("<div>" * 5000 + "x", "x", []),
        ("<table>" * 300, "", []),
        ("\x00\x03", "", []),
    ],
)
def test_broken_html_is_read(html, text, cells):
    content = parse_html(html)
    assert content.text == text
    assert [cell.text for table in content.tables for row in table.rows for cell in row] == cells


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<table>", "<tr>", "<td rowspan=9>", "<th>", "</table>", "<a href='./X'>", "</a>",
             "<h2>", "</h2>", "words", "''", "&amp;", "<b", "<li>", "<div class=navbox>", "</div>",
             "<!--", "-->", "\x04"]
        ),
        max_size=40,
    ).map("".join)
)  # fmt: skip
def test_any_html_is_read(html):
    content = parse_html(html)
    assert content.text == content.text.strip()
    for link in content.links:
        assert content.text[link.start : link.end].strip()
