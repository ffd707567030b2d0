"""The client: one request or very many, each answered from the cache or sent with retries.

After a temporary failure (too many requests, server error, timeout, broken connection, malformed reply) the
request is sent again. An error in one request fails that request alone. A wrong key, address or model stops
everything at once, since every request would fail.
"""

import os
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from rollcall.address import checked_address
from rollcall.errors import RollcallError
from rollcall.llm.budget import Budget, Prices, Spending
from rollcall.llm.cache import ReplyCache
from rollcall.llm.pace import Clock, Gate, Retries
from rollcall.llm.records import ModelError, Reply, Request
from rollcall.llm.server import RefusedError, Server, UnavailableError
from rollcall.shared_types import complete_types

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
