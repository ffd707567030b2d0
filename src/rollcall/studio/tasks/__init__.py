"""The tasks by name: what people are asked to judge. Each registers itself in its own file."""

from rollcall._core.registry import Registry
from rollcall.studio.tasks.task import Task, lacks

TASKS: Registry[type[Task]] = Registry("task", "tasks", "rollcall.studio.tasks", lacks)


def find_task(name: str) -> Task:
    """The task with this name, ready for use; tasks keep no state."""
    return TASKS.find(name)()
