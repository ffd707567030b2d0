"""The profiles by name. Each registers itself in its own file; `entity` is the default."""

import inspect

from rollcall._core.registry import Registry
from rollcall.score.profile import Profile


def _lacks(thing: object) -> str | None:
    kind = thing if isinstance(thing, type) else type(thing)
    if not issubclass(kind, Profile):
        return "it is not a subclass of rollcall.score.Profile"
    if inspect.isabstract(kind):
        return f"it has no method {' and no method '.join(sorted(kind.__abstractmethods__))}"
    return None


PROFILES: Registry[type[Profile] | Profile] = Registry(
    "profile", "profiles", "rollcall.score.profiles", _lacks
)


def open_profile(given: str | type[Profile] | Profile) -> Profile:
    """A profile from its name, from `module:name`, from its class, or unchanged."""
    chosen = PROFILES.find(given) if isinstance(given, str) else given
    profile = chosen() if isinstance(chosen, type) else chosen
    if isinstance(given, str):
        profile.name = given
    elif not profile.name:
        profile.name = _name_of(type(profile))
    return profile


def _name_of(kind: type[Profile]) -> str:
    known = (entry.name for entry in PROFILES if entry.thing is kind)
    return next(known, f"{kind.__module__}:{kind.__qualname__}")
