"""The marks that stand in rendered text until it is finished.

Rendering writes one string in which breaks, headings, links and gaps are marked by control characters (none
of which may come from a page: they are taken out of every source first). Working on one string instead of
a tree is what makes rendering fast, and a mark that carries its own target can be copied or dropped freely.
"""

import re

GAP = "\x01"
"""Something without words stood here: a footnote, a picture, an unknown template."""
BREAK = "\x02"
"""Between paragraphs, list items and headings."""
LINK, ANCHOR, LINK_END = "\x03", "\x04", "\x05"
"""A link is LINK target ANCHOR words LINK_END."""
HEADING = "\x06"
"""A paragraph that begins with it is a heading: level, then its words."""
QUOTE = "\x07"
"""An apostrophe that is no markup."""

CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
"""Characters that no text needs: control characters, halves of pairs, noncharacters."""
_RETURNS = re.compile("\r\n?|[\x85\u2028\u2029]")


def without_control_characters(text: str) -> str:
    """The text without them, and with one kind of line break."""
    if text.isascii() and text.isprintable():
        return text
    if "\r" in text or "\x85" in text or "\u2028" in text or "\u2029" in text:
        text = _RETURNS.sub("\n", text)
    return CONTROL.sub("", text)


def link(target: str, words: str) -> str:
    """A link, which never goes over a break; one without words is none."""
    words = words.replace(BREAK, " ").replace(HEADING, "")
    if not words.strip(f" \n\t{GAP}"):
        return words
    return f"{LINK}{target}{ANCHOR}{words}{LINK_END}"
