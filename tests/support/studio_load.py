"""Many annotators at once, over HTTP: simulated clients against the real server command, which may be killed.

A client does what a browser does: it shows the item, thinks, sends the form, follows the redirect. When the
server is gone it sends the same form again until it is answered, as a person would. Every judgment that was
acknowledged is remembered, so that afterwards none may be missing.
"""

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy import select

from rollcall.studio.database.engine import now
from rollcall.studio.database.tables import ItemRow, Person, SavedJudgment, Slot
from rollcall.studio.projects import open_database
from rollcall.studio.web.sessions import begin_session
from studio_client import CSRF, FORM_KEY
from studio_project import saved_set, small_project

HOST = "127.0.0.1"
PATIENCE = 120.0
"""Seconds after which a server that does not come back is given up."""
CHOICES = ["stated", "not-stated", "unclear"]


@dataclass
class Prepared:
    """A project and people who are signed in."""

    place: str
    tokens: list[str]
    overlap: int


def prepare(place: str, folder: Path, people: int, questions: int, answers: int, overlap: int) -> Prepared:
    """Make the project; everybody is signed in already, since signing in is no part of the work."""
    names = [f"person {number}" for number in range(people)]
    options = {"overlap": overlap, "injected": 0, "minimum": 0, "check_rejected": 0, "check_accepted": 0}
    database, _, _ = small_project(place, saved_set(folder, questions, answers), names, **options)
    with database.write() as session:
        found = session.scalars(select(Person).order_by(Person.id)).all()
        tokens = [begin_session(session, person, now()) for person in found]
    database.close()
    return Prepared(place, tokens, overlap)


class Server:
    """The server as users start it; it can be killed and started again on the same port."""

    def __init__(self, place: str):
        self._place = place
        self.port = _free_port()
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        options = ["--database", self._place, "--port", str(self.port)]
        source = "import sys; from rollcall.cli.main import main; main(sys.argv[1:])"
        command = [sys.executable, "-c", source, "annotate", "serve"]
        self._process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if "the studio is at" in line:
                return
        raise RuntimeError(f"the server ended with {self._process.wait()}")

    def kill(self) -> None:
        """Kill it as nobody can prevent."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def processor_seconds(self) -> float:
        """The processor's time that it took so far, whatever else runs on the machine."""
        assert self._process is not None
        told = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """Ask it to end."""
        assert self._process is not None
        self._process.terminate()
        self._process.communicate(timeout=30)


def _free_port() -> int:
    """A port that the system gives to no client: one that calls again and again while nobody listens would
    come to call itself, and the server could not have its port again.
    """
    for port in random.sample(range(10_000, 30_000), 100):
        with socket.socket() as bound, suppress(OSError):
            bound.bind((HOST, port))
            return port
    raise RuntimeError("no port is free")


@dataclass
class Load:
    """What the clients saw."""

    seconds: list[float] = field(default_factory=list)
    """How long each answered request took."""
    acknowledged: list[str] = field(default_factory=list)
    """The keys of the forms that the server said it stored."""
    statuses: Counter[int] = field(default_factory=Counter)
    refusals: list[str] = field(default_factory=list)
    """Pages that said no."""
    lost_connections: int = 0
    at_kills: list[int] = field(default_factory=list)
    """How many judgments were acknowledged at each kill."""
    moments: dict[int, asyncio.Event] = field(default_factory=dict)
    """What waits for so many acknowledged judgments."""
    took: float = 0.0

    def acknowledge(self, key: str) -> None:
        """Remember that the server said it stored a form."""
        self.acknowledged.append(key)
        if (moment := self.moments.get(len(self.acknowledged))) is not None:
            moment.set()

    def percentile(self, share: float) -> float:
        """The time within which this share of the requests was answered, in milliseconds."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Client:
    """One annotator."""

    def __init__(self, port: int, token: str, load: Load, seed: int, think: float):
        self._port = port
        self._cookie = f"rollcall_session={token}"
        self._load = load
        self._random = random.Random(seed)
        self._think = think
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def work(self, until: float) -> None:
        """Judge until the time is over, or nothing is left."""
        await asyncio.sleep(self._random.uniform(0, self._think))
        while time.monotonic() < until:
            _, text = await self._ask("GET", None)
            key, csrf = FORM_KEY.search(text), CSRF.search(text)
            if key is None or csrf is None:
                break
            await asyncio.sleep(self._random.uniform(0.5, 1.5) * self._think)
            fields = {
                "csrf": csrf.group(1),
                "form_key": key.group(1),
                "choice": self._random.choice(CHOICES),
                "seconds": "1",
            }
            status, _ = await self._ask("POST", urlencode(fields))
            if status == 303:
                self._load.acknowledge(key.group(1))
        if self._streams is not None:
            self._streams[1].close()

    async def _ask(self, method: str, body: str | None) -> tuple[int, str]:
        """One request, sent again until it is answered, or nobody will answer any more."""
        first = time.monotonic()
        while True:
            begun = time.perf_counter()
            try:
                status, text = await asyncio.wait_for(self._once(method, body), 30)
            except (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError):
                self._load.lost_connections += 1
                if time.monotonic() - first > PATIENCE:
                    raise
                if self._streams is not None:
                    self._streams[1].close()
                    self._streams = None
                await asyncio.sleep(self._random.uniform(0.1, 0.3))
                continue
            self._load.seconds.append(time.perf_counter() - begun)
            self._load.statuses[status] += 1
            if status >= 400:
                self._load.refusals.append(text)
            return status, text

    async def _once(self, method: str, body: str | None) -> tuple[int, str]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(HOST, self._port, limit=1 << 20)
        reader, writer = self._streams
        sent = (body or "").encode()
        kind = "content-type: application/x-www-form-urlencoded\r\n" if body is not None else ""
        writer.write(
            f"{method} /work/films HTTP/1.1\r\nhost: {HOST}:{self._port}\r\ncookie: {self._cookie}\r\n"
            f"{kind}content-length: {len(sent)}\r\n\r\n".encode()
            + sent
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = next(line for line in head.split("\r\n") if line.startswith("content-length:"))
        content = await reader.readexactly(int(length.partition(":")[2]))
        return int(head.split(" ", 2)[1]), content.decode()


def work_together(
    server: Server, prepared: Prepared, seconds: float, think: float, kills: int = 0, between: int = 100
) -> Load:
    """Let everybody work for a time; the server is killed so often, each time after so many more judgments.

    Judgments are counted, and no time is taken, so that people still work at the last kill however fast the
    machine is. Fewer are the kills if the time is over before.
    """
    load = Load(moments={between * (number + 1): asyncio.Event() for number in range(kills)})
    over = False

    async def kill() -> None:
        for moment in load.moments.values():
            await moment.wait()
            if over:
                return
            await asyncio.to_thread(server.kill)
            load.at_kills.append(len(load.acknowledged))
            await asyncio.to_thread(server.start)

    async def everybody() -> None:
        nonlocal over
        until = time.monotonic() + seconds
        clients = [
            Client(server.port, token, load, seed, think) for seed, token in enumerate(prepared.tokens)
        ]
        async with asyncio.TaskGroup() as together:  # nobody waits for a server that cannot be started
            together.create_task(kill())
            await asyncio.gather(*(together.create_task(client.work(until)) for client in clients))
            over = True
            for moment in load.moments.values():
                moment.set()

    begun = time.monotonic()
    asyncio.run(everybody())
    load.took = time.monotonic() - begun
    return load


@dataclass(frozen=True)
class Account:
    """What the database has after the work, against what clients were told."""

    stored: int
    lost: int
    doubled: int
    too_often: int
    slots_without_judgment: int


def account(prepared: Prepared, load: Load) -> Account:
    """Count what must not be."""
    database = open_database(prepared.place)
    with database.read() as session:
        rows = session.execute(
            select(SavedJudgment.form_key, SavedJudgment.item_id, SavedJudgment.person_id)
        ).all()
        needed = dict(session.execute(select(ItemRow.id, ItemRow.needed)).all())
        judged = session.scalars(select(Slot.id).where(Slot.state == "judged")).all()
        filled = set(session.scalars(select(SavedJudgment.slot_id).where(SavedJudgment.withdrawn == "")))
    database.close()
    keys = Counter(row[0] for row in rows)
    pairs = Counter((row[1], row[2]) for row in rows)
    per_item = Counter(row[1] for row in rows)
    return Account(
        stored=len(rows),
        lost=len(set(load.acknowledged) - set(keys)),
        doubled=sum(count > 1 for count in [*keys.values(), *pairs.values()]),
        too_often=sum(count > needed[item] for item, count in per_item.items()),
        slots_without_judgment=len(set(judged) ^ filled),
    )
