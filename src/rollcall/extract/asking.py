"""Lets a model read blocks: asks again where a reply cannot be used, and counts what is lost.

Replies are kept by the client's cache, so that a killed run goes on where it was. Blocks are asked for in
groups; after each, a run in which too many replies are of no use ends with one line.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from rollcall.errors import RollcallError
from rollcall.extract.blocks import Block
from rollcall.extract.grounding import grounded
from rollcall.extract.prompts import reading_request
from rollcall.extract.records import PageReading
from rollcall.extract.replies import SaidBlock, read_reply
from rollcall.extract.schema import Schema
from rollcall.llm import Client, ModelError, Reply, Request
from rollcall.progress import Progress

_ATTEMPTS = 3
_GROUP = 64
_ENOUGH = 10
"""After fewer blocks, a run is not given up, unless these are all."""


class Account:
    """What happened to replies: how many were mended or of no use, and what of the others was left out."""

    def __init__(self) -> None:
        self.blocks = self.asked_again = self.cut = 0
        self.unusable: list[str] = []
        self.left_out: Counter[str] = Counter()


class _Ask(NamedTuple):
    place: tuple[int, ...]
    block: Block
    attempt: int = 0


class ModelReader:
    """Reads blocks with a model of a server."""

    def __init__(
        self, client: Client, model: str, schema: Schema, *, max_tokens: int, max_bad: float
    ) -> None:
        self._client, self._model, self._schema = client, model, schema
        self._max_tokens, self._max_bad = max_tokens, max_bad
        self.account = Account()

    def read(self, blocks: Iterable[Block], total: int, show: bool | None = None) -> Iterator[PageReading]:
        """What was read in each block, in order."""
        with Progress("reading", total, count=True, show=show) as progress:
            source = iter(blocks)
            while group := tuple(islice(source, _GROUP)):
                yield from self._group(group, progress)
                self._check(last=False)
        self._check(last=True)

    def _group(self, group: tuple[Block, ...], progress: Progress) -> Iterator[PageReading]:
        waiting = [_Ask((number,), block) for number, block in enumerate(group)]
        self.account.blocks += len(group)
        found: dict[tuple[int, ...], tuple[Block, SaidBlock]] = {}
        while waiting:
            again: list[_Ask] = []
            requests = ((ask, self._request(ask)) for ask in waiting)
            for ask, reply in self._client.complete_all(requests):
                said = read_reply(reply.text) if isinstance(reply, Reply) else None
                if isinstance(reply, Reply) and reply.finish == "length" and len(ask.block.sentences) > 1:
                    self.account.cut += 1
                    again += [_Ask((*ask.place, half), part) for half, part in enumerate(ask.block.halves)]
                elif said is not None:
                    found[ask.place] = ask.block, said
                elif isinstance(reply, Reply) and ask.attempt + 1 < _ATTEMPTS:
                    self.account.asked_again += 1
                    again.append(ask._replace(attempt=ask.attempt + 1))
                else:
                    self._give_up(ask, reply)
                if ask.attempt == 0 and len(ask.place) == 1:
                    progress.advance(1, str(self._client.spending))
            waiting = sorted(again)
        for _place, (block, said) in sorted(found.items()):
            yield grounded(said, block, self._schema, self.account.left_out)

    def _request(self, ask: _Ask) -> Request:
        return reading_request(self._model, self._schema, ask.block, self._max_tokens, ask.attempt)

    def _give_up(self, ask: _Ask, reply: Reply | ModelError) -> None:
        """Count a block that gave nothing; its replies are forgotten, so that the next run asks again."""
        for attempt in range(ask.attempt + 1):
            self._client.forget(self._request(ask._replace(attempt=attempt)))
        why = str(reply) if isinstance(reply, ModelError) else _unusable(reply)
        self.account.unusable.append(f"{ask.block.title}: {why}")

    def _check(self, last: bool) -> None:
        bad, all_ = len(self.account.unusable), self.account.blocks
        if (last or all_ >= _ENOUGH) and bad > self._max_bad * all_:
            raise RollcallError(
                f"{bad:,} of {all_:,} replies of {self._model} are of no use (--max-bad {self._max_bad:g}), "
                f"such as {self.account.unusable[0]}; try another model, shorter blocks (--words) or a "
                "simpler schema"
            )


def _unusable(reply: Reply) -> str:
    if reply.refusal:
        return f"refused ({reply.refusal})"
    beginning = " ".join(reply.text.split())[:60]
    return f"no JSON of the form asked for ({beginning!r})" if beginning else "an empty reply"
