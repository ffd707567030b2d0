"""Where the keys of a recipe were set, so that an error about several keys can point to a place."""

from rollcall.errors import RollcallError


class KeyMistakeError(RollcallError):
    """Values that are allowed one by one but not together; `keys` are the keys at fault, with dots."""

    def __init__(self, message: str, *keys: str):
        super().__init__(message)
        self.keys = keys


class Places:
    """The line of the file, or the option, that set each key."""

    def __init__(self, file: str):
        self._file = file
        self._lines: dict[str, int] = {}
        self._options: dict[str, str] = {}

    def in_file(self, key: str, line: int) -> None:
        self._lines[key] = line

    def by_option(self, key: str) -> None:
        self._options[key] = f"--set {key}"

    def of(self, keys: tuple[str, ...]) -> str:
        """The place to look at first: an option before a line, because the file without the option was
        correct.
        """
        for key in keys:
            if key in self._options:
                return self._options[key]
        for key in keys:
            if key in self._lines:
                return f"{self._file}:{self._lines[key]}"
        return self._file
