"""Commands that read no file of a user: what there is to choose from, what is installed, the demo."""

from command_table.row import Command

INSTALLATION = (
    Command("measures", lambda inputs, out: ["measures"]),
    Command("doctor", lambda inputs, out: ["doctor"], timed=True),
    Command("plugins", lambda inputs, out: ["plugins"]),
    Command(
        "demo",
        lambda inputs, out: ["demo", "--entities", "1000", "--out", f"{out}/demo"],
        ("demo",),
        keeps=("demo/questions/.build", "demo/corpus.index"),
        foreign=True,
        grows=True,
        timed=True,
        slow=True,
    ),
)
