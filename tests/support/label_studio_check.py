"""Holds tasks against Label Studio's own library, in an environment of its own with other versions.

Reads JSON from standard input, a list of pairs of configuration and tasks, and prints what is wrong.
"""

import json
import sys
import tempfile
from pathlib import Path

from label_studio_sdk.converter import Converter
from label_studio_sdk.label_interface import LabelInterface


def faults(config: str, tasks: list[dict]) -> list[str]:
    """What Label Studio would refuse or read otherwise."""
    interface = LabelInterface(config)
    interface.validate()
    found = []
    for number, task in enumerate(tasks):
        if not interface.validate_task({"data": task["data"]}):
            found.append(f"task {number}: {task['data']}")
        found += [
            f"annotation of task {number}: {one}"
            for one in task["annotations"]
            if interface.validate_annotation(one) is not True
        ]
        task["id"] = number
        for place, one in enumerate(task["annotations"]):
            one["id"] = place
    with tempfile.TemporaryDirectory() as folder:
        exported = Path(folder) / "exported.json"
        exported.write_text(json.dumps(tasks))
        Converter(config, folder).convert_to_json_min(str(exported), f"{folder}/read", is_dir=False)
        rows = json.loads((Path(folder) / "read" / "result.json").read_text())
    if len(rows) != sum(len(task["annotations"]) for task in tasks):
        found.append(f"the converter reads {len(rows)} annotations")
    return found


def main() -> None:
    told = [fault for config, tasks in json.load(sys.stdin) for fault in faults(config, tasks)]
    print("\n".join(told))
    sys.exit(bool(told))


if __name__ == "__main__":
    main()
