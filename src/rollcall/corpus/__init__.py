"""Text: read dumps and files into sentences, passages, links, tables and mention statistics."""

from typing import TYPE_CHECKING

from rollcall._core.packages import names_on_first_use

if TYPE_CHECKING:
    from rollcall.corpus.corpus import Content as Content
    from rollcall.corpus.corpus import Corpus as Corpus
    from rollcall.corpus.corpus import Link as Link
    from rollcall.corpus.corpus import Section as Section
    from rollcall.corpus.corpus import TableContent as TableContent
    from rollcall.corpus.make import make_corpus as make_corpus
    from rollcall.corpus.options import CorpusOptions as CorpusOptions
    from rollcall.corpus.shard import Chunking as Chunking
    from rollcall.corpus.shard import CorpusShard as CorpusShard
    from rollcall.corpus.shard import PageRecord as PageRecord
    from rollcall.corpus.source import SourceFindings as SourceFindings
    from rollcall.corpus.source import TextSource as TextSource

_HOMES = {
    **dict.fromkeys(("Content", "Corpus", "Link", "Section", "TableContent"), "corpus"),
    "make_corpus": "make",
    "CorpusOptions": "options",
    **dict.fromkeys(("Chunking", "CorpusShard", "PageRecord"), "shard"),
    **dict.fromkeys(("SourceFindings", "TextSource"), "source"),
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)
