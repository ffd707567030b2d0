"""Passwords: hashed by argon2, and never hashed by many requests at once, since each takes much memory."""

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from rollcall.errors import RollcallError

SHORTEST, LONGEST = 10, 500
AT_ONCE = 2


class Passwords:
    """Hashes and verifies; `hasher` is replaced in tests, which sign many people in."""

    def __init__(self, hasher: PasswordHasher | None = None):
        self._hasher = hasher or PasswordHasher()
        self._turn = threading.Semaphore(AT_ONCE)
        # Somebody unknown is verified against this, so that the time tells nobody which names there are.
        self._nobody = self._hasher.hash("nobody")

    def hash(self, password: str) -> str:
        """The hash to store; a password that is too short is refused."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise RollcallError(f"choose a password of {SHORTEST} characters or more")
        with self._turn:
            return self._hasher.hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Whether this is the password."""
        with self._turn:
            try:
                self._hasher.verify(stored or self._nobody, password[:LONGEST])
            except (VerificationError, InvalidHashError):
                return False
        return stored is not None

    def is_old(self, stored: str) -> bool:
        """Whether the hash was made with weaker parameters than today's."""
        return self._hasher.check_needs_rehash(stored)
