"""docs/reference/commands.md: every command with its arguments and options, as they are declared."""

from collections.abc import Iterator
from typing import Any

import typer

from reference_pages.markdown import code, table
from rollcall.cli.main import app

_HEAD = """# Commands

Every command of `rollcall`, as `rollcall COMMAND --help` prints it. Three options belong to all of them and
may stand anywhere: `--quiet` (`-q`) prints results, warnings and errors alone, `--debug` shows the
traceback of an error, `--help` prints what stands here. A mistake in the call or the input is one line and
the exit code 2; after Ctrl-C the exit code is 130, and commands that keep what is finished say so.
"""


def rendered() -> str:
    """The page."""
    parts = [_HEAD]
    listed = list(commands(typer.main.get_command(app), ()))
    rows = [(f"[`{name}`](#{_anchor(name)})", _first_line(command)) for name, command in listed]
    parts.append("\n" + table(("command", "what it does"), rows))
    parts += [_section(name, command) for name, command in listed]
    return "".join(parts)


def commands(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Every command that does something itself, with its full name."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(("rollcall", *path)), command
        return
    for name in inner:
        yield from commands(inner[name], (*path, name))


def _anchor(name: str) -> str:
    return name.replace(" ", "-")


def _first_line(command: Any) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def _section(name: str, command: Any) -> str:
    arguments = [one for one in command.params if isinstance(one, typer.core.TyperArgument)]
    options = [one for one in command.params if one not in arguments and not getattr(one, "hidden", False)]
    usage = " ".join([name, *(_metavar(one) for one in arguments), "[OPTIONS]"])
    parts = [f"\n## {name}\n\n{_paragraphs(command)}\n\n```text\n{usage}\n```\n"]
    described = [(code(_metavar(one)), one.help or "") for one in arguments]
    parts.append("\n" + table(("argument", "meaning"), described) if described else "")
    panels: dict[str, list[Any]] = {}
    for one in options:
        panels.setdefault(getattr(one, "rich_help_panel", None) or "", []).append(one)
    for panel, found in panels.items():
        title = f"{panel}:\n\n" if panel else ""
        rows = [(_written(one), _default(one), one.help or "") for one in found]
        parts.append(f"\n{title}{table(('option', 'default', 'meaning'), rows)}")
    return "".join(parts)


def _paragraphs(command: Any) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (command.help or "").split("\n\n"))


def _metavar(argument: Any) -> str:
    shown = argument.metavar or argument.name.upper()
    return shown if argument.required or shown.startswith("[") else f"[{shown}]"


def _written(option: Any) -> str:
    names = ", ".join(code(name) for name in (*option.opts, *option.secondary_opts))
    return names if option.is_flag else f"{names} {code(_value(option))}"


def _value(option: Any) -> str:
    if option.metavar:
        return str(option.metavar)
    if hasattr(option.type, "choices"):
        return "|".join(map(str, option.type.choices))
    if option.type.name == "path":
        return "PATH"
    return "NUMBER" if option.type.name.split()[0] in ("int", "integer", "float") else "TEXT"


def _default(option: Any) -> str:
    if option.required:
        return "needed"
    if isinstance(option.show_default, str):
        return option.show_default
    if option.is_flag:
        return code(option.opts[0]) if option.default and option.secondary_opts else ""
    if option.default is None or callable(option.default) or option.default == "":
        return ""
    return code(str(option.default))
