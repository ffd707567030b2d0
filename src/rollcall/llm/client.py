"""The client: one request or very many, each answered from the cache or sent with retries.

After a temporary failure (too many requests, server error, timeout, broken connection, malformed reply) the
request is sent again. An error in one request fails that request alone. A wrong key, address or model stops
everything at once, since every request would fail.
"""

import os
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec

from rollcall._core.errors import RollcallError, complete_types
from rollcall._core.files import checked_address
from rollcall.llm.server import (
    Clock,
    Gate,
    ModelError,
    RefusedError,
    Reply,
    Request,
    Retries,
    Server,
    UnavailableError,
)

# The budget and the actual cost of the work, in tokens and in money. Before a request is sent, its
# highest possible cost is reserved, so that many requests at the same time cannot exceed the budget
# together. When the reply arrives, the actual cost replaces the reserved one. Replies from the cache
# cost nothing.


class BudgetSpentError(RollcallError):
    """The budget is used up: a regular end, not a failure of a question."""


@dataclass(frozen=True)
class Prices:
    """Prices of a million tokens, in any currency."""

    prompt: float = 0.0
    completion: float = 0.0

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


@dataclass(frozen=True)
class Budget:
    """The most that may be spent; None for no limit."""

    tokens: int | None = None
    money: float | None = None


@dataclass
class Spending:
    """A running account; safe to use from several threads."""

    budget: Budget
    prices: Prices

    def __post_init__(self) -> None:
        if self.budget.money is not None and self.prices == Prices():
            raise RollcallError("a budget in money needs prices: give --price as PROMPT,COMPLETION a million")
        self.asked = self.cached = self.prompt_tokens = self.completion_tokens = 0
        self._aside_tokens, self._aside_money = 0, 0.0
        self._lock = threading.Lock()

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    @property
    def money(self) -> float:
        return self.prices.of(self.prompt_tokens, self.completion_tokens)

    def set_aside(self, request: Request) -> tuple[int, float]:
        """Reserve the most a request can cost, or stop because that is too much."""
        prompt = request.estimated_prompt_tokens()
        tokens, money = prompt + request.max_tokens, self.prices.of(prompt, request.max_tokens)
        with self._lock:
            if self.budget.tokens is not None and (
                self.tokens + self._aside_tokens + tokens > self.budget.tokens
            ):
                raise BudgetSpentError(self._message(f"{self.budget.tokens:,} tokens"))
            if self.budget.money is not None and self.money + self._aside_money + money > self.budget.money:
                raise BudgetSpentError(self._message(f"{self.budget.money:g} in money"))
            self._aside_tokens += tokens
            self._aside_money += money
        return tokens, money

    def settle(self, aside: tuple[int, float], reply: Reply | None) -> None:
        """Replace the reserved cost by the actual cost, which is zero if there was no reply."""
        with self._lock:
            self._aside_tokens -= aside[0]
            self._aside_money -= aside[1]
            if reply is not None:
                self.asked += 1
                self.prompt_tokens += reply.prompt_tokens
                self.completion_tokens += reply.completion_tokens

    def came_from_cache(self) -> None:
        with self._lock:
            self.cached += 1

    def _message(self, limit: str) -> str:
        return (
            f"the budget of {limit} leaves no room for the next request ({self}); what was answered is kept: "
            "run the same command again to continue with the same budget"
        )

    def __str__(self) -> str:
        tokens = f"{self.prompt_tokens:,}+{self.completion_tokens:,} tokens"
        text = f"{self.asked:,} asked, {self.cached:,} cached, {tokens}"
        return text if self.prices == Prices() else f"{text}, {self.money:.4f} spent"


# Replies on disk under the hash of their request: a request that was paid for is never sent again. The
# cache is an SQLite file in write-ahead mode, with one transaction per reply: a killed process loses no
# stored reply, and several processes may use one file. Each reply has a checksum: a damaged reply is
# requested again, and the others remain valid.

_DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What the library raises for a damaged file; its message may not be UTF-8 then."""


class ReplyCache:
    """A file of replies; safe to use from several threads."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        try:
            self._file = sqlite3.connect(
                self._path, timeout=60, check_same_thread=False, isolation_level=None
            )
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS replies "
                "(key TEXT PRIMARY KEY, request BLOB, reply BLOB, checksum INTEGER)"
            )
            columns = [row[1] for row in self._file.execute("PRAGMA table_info(replies)")]
            if "checksum" not in columns:  # a cache from before checksums were added
                self._file.execute("ALTER TABLE replies ADD COLUMN checksum INTEGER")
        except _DAMAGE as error:
            raise RollcallError(f"{self._path}: is not a cache of replies ({error}); name another") from error

    def get(self, key: str) -> Reply | None:
        """The reply stored under a key, marked as cached."""
        row = self._do("SELECT reply, checksum FROM replies WHERE key = ?", key)
        if not row or (row[1] is not None and row[1] != _checksum(key, row[0])):
            return None
        try:
            return msgspec.structs.replace(msgspec.json.decode(row[0], type=Reply), cached=True)
        except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
            return None

    def put(self, key: str, request: Request, reply: Reply) -> None:
        """Store a reply; it is on disk when this returns."""
        encoded = msgspec.json.encode(reply)
        self._do(
            "INSERT INTO replies (key, request, reply, checksum) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (key) DO UPDATE "
            "SET request = excluded.request, reply = excluded.reply, checksum = excluded.checksum",
            *(key, msgspec.json.encode(request), encoded, _checksum(key, encoded)),
        )

    def remove(self, key: str) -> None:
        """Remove a reply that turned out to be unusable."""
        self._do("DELETE FROM replies WHERE key = ?", key)

    def __len__(self) -> int:
        return int(self._do("SELECT count(*) FROM replies")[0])

    def _do(self, statement: str, *values: object) -> tuple[Any, ...]:
        try:
            with self._lock:
                return tuple(self._file.execute(statement, values).fetchone() or ())
        except _DAMAGE as error:
            raise RollcallError(
                f"{self._path}: the cache of replies is damaged ({error}); move it away, and replies are "
                "asked for again"
            ) from error

    def close(self) -> None:
        with self._lock:
            self._file.close()


def _checksum(key: str, reply: object) -> int:
    return zlib.crc32(reply, zlib.crc32(key.encode())) if isinstance(reply, bytes) else -1


Label = TypeVar("Label")

KEY_VARIABLES = ("ROLLCALL_API_KEY", "OPENAI_API_KEY")


class Client:
    """Sends requests to one server; safe to use from several threads."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        concurrency: int = 8,
        timeout: float = 120.0,
        per_minute: float | None = None,
        retries: Retries | None = None,
        cache: ReplyCache | None = None,
        budget: Budget | None = None,
        prices: Prices | None = None,
        clock: Clock | None = None,
    ) -> None:
        """`api_key` is taken from the environment unless given; local servers need none."""
        if concurrency < 1:
            raise RollcallError(
                f"--concurrency {concurrency}: at least one request must be possible at a time"
            )
        key = api_key or next((os.environ[name] for name in KEY_VARIABLES if os.environ.get(name)), "none")
        self.base_url = checked_address(base_url)
        self.concurrency = concurrency
        self.spending = Spending(budget or Budget(), prices or Prices())
        self._clock = clock or Clock()
        self._retries = retries or Retries()
        self._gate = Gate(self._clock, per_minute)
        self._cache = cache
        self._server = Server(self.base_url, key, timeout, self._clock)
        self._slots = threading.BoundedSemaphore(concurrency)
        self._in_flight: WeakValueDictionary[str, Any] = WeakValueDictionary()
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Reply:
        """The reply to one request; `ModelError` if it fails, `BudgetSpentError` if the budget forbids it."""
        key = request.key(self.base_url)
        with self._only_once(key):
            kept = self._cache.get(key) if self._cache is not None else None
            if kept is not None:
                self.spending.came_from_cache()
                return kept
            with self._slots:
                reply = self._asked(request)
            if self._cache is not None:
                self._cache.put(key, request, reply)
            return reply

    def complete_all(
        self, requests: Iterable[tuple[Label, Request]]
    ) -> Iterator[tuple[Label, Reply | ModelError]]:
        """Replies as they arrive, each with its request's label, with as many requests at a time as allowed.

        Requests are taken from the iterator when there is room. An error that stops everything is raised
        after the running requests have returned, so that no reply that was paid for is lost.
        """
        source = iter(requests)
        pending: dict[Future[Reply], Label] = {}
        stopped: Exception | None = None
        complete_types()
        with ThreadPoolExecutor(self.concurrency) as pool:
            while True:
                while stopped is None and len(pending) < self.concurrency:
                    drawn = next(source, None)
                    if drawn is None:
                        break
                    pending[pool.submit(self.complete, drawn[1])] = drawn[0]
                if not pending:
                    break
                for done in wait(pending, return_when=FIRST_COMPLETED).done:
                    label = pending.pop(done)
                    error = done.exception()
                    if error is None:
                        yield label, done.result()
                    elif isinstance(error, ModelError):
                        yield label, error
                    elif isinstance(error, Exception):
                        stopped = stopped or error
                    else:
                        raise error
        if stopped is not None:
            raise stopped

    def has_answer(self, request: Request) -> bool:
        """Whether the cache has the reply to a request, so that it costs nothing."""
        return self._cache is not None and self._cache.get(request.key(self.base_url)) is not None

    def forget(self, request: Request) -> None:
        """Remove an unusable reply from the cache, so that the next run sends the request again."""
        if self._cache is not None:
            self._cache.remove(request.key(self.base_url))

    def close(self) -> None:
        self._server.close()
        if self._cache is not None:
            self._cache.close()

    def _only_once(self, key: str) -> threading.Lock:
        """A lock per request: of two equal requests, the second waits and finds the reply of the first."""
        if self._cache is None:
            return threading.Lock()
        with self._lock:
            lock = self._in_flight.get(key)
            if lock is None:
                lock = self._in_flight[key] = threading.Lock()
            return lock

    def _asked(self, request: Request) -> Reply:
        attempt, asked_to_wait = 1, 0.0
        while True:
            aside = self.spending.set_aside(request)
            reply = None
            try:
                self._gate.wait()
                reply = self._server.post(request)
                return reply
            except UnavailableError as problem:
                if problem.wait:
                    asked_to_wait += problem.wait
                    self._wait_as_asked(problem, problem.wait, asked_to_wait)
                else:
                    self._wait_longer(problem, attempt)
                    attempt += 1
            except RefusedError as problem:
                raise ModelError(str(problem)) from problem
            finally:
                self.spending.settle(aside, reply)

    def _wait_as_asked(self, problem: UnavailableError, seconds: float, total: float) -> None:
        """Wait as long as the server asks, or give up the request; the wait does not count as an attempt."""
        if total > self._retries.longest_told:
            raise ModelError(f"{problem}; it asks to wait {total:.0f} s") from problem
        self._gate.shut(seconds)
        self._clock.sleep(seconds)

    def _wait_longer(self, problem: UnavailableError, attempt: int) -> None:
        """Wait before the next attempt, or give up the request; if there is no server, give up everything."""
        if attempt == self._retries.attempts:
            if not self._server.reached:
                raise RollcallError(f"{problem} ({attempt} attempts); does a server run there?") from problem
            raise ModelError(f"{problem} ({attempt} attempts)") from problem
        self._clock.sleep(self._retries.delay(attempt))
