"""Where the keys of a recipe were given, so that a mistake that several of them make together has a place."""

from rollcall.errors import RollcallError


class KeyMistakeError(RollcallError):
    """Values that each key allows and all together do not; `keys` are those at fault, with dots."""

    def __init__(self, message: str, *keys: str):
        super().__init__(message)
        self.keys = keys


class Places:
    """The line of the file, or the option, that gave each key its value."""

    def __init__(self, file: str):
        self._file = file
        self._lines: dict[str, int] = {}
        self._options: dict[str, str] = {}

    def in_file(self, key: str, line: int) -> None:
        self._lines[key] = line

    def by_option(self, key: str) -> None:
        self._options[key] = f"--set {key}"

    def of(self, keys: tuple[str, ...]) -> str:
        """The place to look at first: an option before a line, because the file alone was well."""
        for key in keys:
            if key in self._options:
                return self._options[key]
        for key in keys:
            if key in self._lines:
                return f"{self._file}:{self._lines[key]}"
        return self._file
