"""Executes a plan: warms up, opens, runs the phases, closes."""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
import time
import traceback

from .engines import engine, given
from .histogram import Histogram
from .link import Link
from .mixing import derive
from .phases import Failure, Phase, Population, writes
from .usage import Collections, DiskWrites, Memory, clock, disk_usage, read_bytes, uptime
from .workset import GeneratedWorkset, workset

CHUNK = 32
CHUNK_BELOW_NANOS = 1_000
MOST_WARM_UP_RECORDS = 5_000
TURN_SECONDS = 0.06
LOAD_SECONDS = 0.3
ROUNDS = 3
FRESH = ", fresh process"
FRESH_SHARE = 20
MOST_FRESH = 50
PAUSE = 0.02
QUIET_LOOKS = 2
IDLE_LOOKS = 50
LEAST_TIMEOUT = 60.0

UNKNOWN_CARD = {
    "diskBytes": -1,
    "liveBytes": -1,
    "settledDiskBytes": -1,
    "settledLiveBytes": -1,
    "settleNanos": -1,
    "settled": False,
    "unsettled": [],
    "anonymousBytes": -1,
    "fileBytes": -1,
    "peakBytes": -1,
    "readBytes": -1,
    "writtenBytes": -1,
    "movedBytes": -1,
}


class Place:
    """Where a store is, and how it is opened there."""

    def __init__(self, configuration: dict, directory: str) -> None:
        self.directory = directory
        self.engine = engine(configuration["engine"])
        declared = self.engine.declare()
        if declared["unavailable"]:
            raise Failure(f"engine {declared['name']}: {declared['unavailable']}")
        self.access = configuration["access"].lower()
        if self.access not in declared["access"]:
            raise Failure(f"engine {declared['name']} has no access {self.access} in this worker")
        asked = configuration["durability"].lower().replace("_", "-")
        self.level = given(declared, asked)
        self.options = configuration["options"]
        self.reopened = {**self.options, **configuration["reopen"]}
        known = {each["name"] for each in declared["options"]} | {"read_only"}
        for name in self.reopened:
            if name not in known:
                raise Failure(f"engine {declared['name']} has no option {name} in this worker")

    def create(self):
        os.makedirs(self.directory)
        return self._open(self.options, True)

    def open(self):
        return self._open(self.options, False)

    def _open(self, options: dict[str, str], create: bool):
        return self.engine.open(self.directory, options, self.level, self.access, create)

    def reader(self) -> OpeningStore:
        return OpeningStore(self)

    def destroy(self) -> None:
        shutil.rmtree(self.directory, ignore_errors=True)

    def fresh(self, key: bytes) -> list[str]:
        """The command of a separate process that opens the store and reads one key."""
        folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        script = f"import sys; sys.path.insert(0, {folder!r}); "
        script += "from kv_stadium_worker.main import main; main()"
        asked = [self.engine.declare()["name"], self.directory, json.dumps(self.reopened)]
        return [sys.executable, "-c", script, "once", *asked, self.level, self.access, key.hex()]


class OpeningStore:
    """A closed store, which each read opens and closes."""

    def __init__(self, place: Place) -> None:
        self.open = place.engine.open
        self.arguments = (place.directory, place.reopened, place.level, place.access, False)

    def get(self, key: bytes) -> bytes | None:
        store = self.open(*self.arguments)
        try:
            return store.get(key)
        finally:
            store.close()

    def background(self):
        return 0, 0


class Trial:
    """One run of one configuration."""

    def __init__(self, plan: dict, link: Link, memory: Memory, collections: Collections) -> None:
        self.plan, self.link, self.memory, self.collections = plan, link, memory, collections
        self.directory = plan["directory"]
        self.results: list[dict] = []
        self.card = dict(UNKNOWN_CARD)
        self.chunks: dict[str, int] = {}
        self.changed = self.deleted = False
        self.settled = "settled"
        self.settle_nanos = -1

    def run(self) -> None:
        """Runs the trial and reports its result or failure to the parent."""
        failure, spent, data = None, None, {}
        try:
            started = uptime()
            begin = clock()
            entries = workset(self.plan, _extra(self.plan))
            data = entries.describe()
            if self.plan["warmUpSeconds"] > 0:
                self._warm_up()
            warmed = (clock() - begin) / 1e9
            begin = clock()
            in_phases = self._measure(entries)
            spent = {
                "start": started,
                "warmUp": warmed,
                "phases": in_phases / 1e9,
                "rest": (clock() - begin - in_phases) / 1e9,
            }
        except Failure as e:
            failure = str(e)
        except MemoryError:
            failure = "the trial's memory is too small"
        except Exception as e:
            frame = traceback.extract_tb(e.__traceback__)[-1]
            where = f"{os.path.basename(frame.filename)}:{frame.lineno}"
            failure = f"the trial broke: {type(e).__name__}: {e} at {where}"
        result = {
            "number": self.plan["number"],
            "seed": self.plan["seed"],
            "failure": failure,
            "phases": self.results,
            "card": UNKNOWN_CARD if failure else self.card,
            "spent": spent,
        }
        self.link.send("done", result=result, data=data)

    # ---- warm-up -------------------------------------------------------------------------------

    def _warm_up(self) -> None:
        """Runs the phases in short turns on a throwaway store, to see how long operations take."""
        plan = self.plan
        records = min(plan["data"]["records"], MOST_WARM_UP_RECORDS)
        data = {**plan["data"], "records": records, "order": "SEQUENTIAL"}
        entries = GeneratedWorkset(data, derive(plan["seed"], "warm-up"), _extra(plan))
        place = Place(plan["configuration"], os.path.join(self.directory, "warm-up"))
        store = place.create()
        loaded = 0 if any(each["operation"] == "INSERT" for each in plan["phases"]) else records
        generations: dict[int, int] = {}
        begin = clock()
        for turn in range(ROUNDS):
            for spec in plan["phases"]:
                loads = spec["operation"] == "INSERT"
                if loads and turn > 0 and loaded < records:
                    continue
                if not (records if loads else loaded):
                    continue
                self.link.progress("warm-up")
                most = spec["operations"]
                if spec["operation"] == "DELETE":
                    most = max(1, loaded // 20)
                seconds = (LOAD_SECONDS if turn == 0 else 0) if loads else TURN_SECONDS
                short = {**spec, "operations": most, "seconds": seconds}
                population = Population(records if loads else loaded, entries.room)
                population.generations = generations
                seed = derive(derive(plan["seed"], "warm-up"), turn)
                phase = Phase(
                    short, entries, population, seed, 1, self.collections, lambda share: None
                )
                if spec["operation"] == "OPEN_GET":
                    store.close()
                    result = phase.run(place.reader())
                    store = place.open()
                else:
                    result = phase.run(store)
                if loads:
                    loaded = max(loaded, result["operations"])
                quick = result["nanos"] < CHUNK_BELOW_NANOS * result["operations"]
                self.chunks[spec["name"]] = CHUNK if quick else 1
            if clock() - begin > plan["warmUpSeconds"] * 1e9:
                break
        store.close()
        place.destroy()

    # ---- the measured store --------------------------------------------------------------------

    def _measure(self, entries) -> int:
        plan = self.plan
        population = Population(entries.size, entries.room)
        os.makedirs(self.directory, exist_ok=True)
        disk = DiskWrites(self.directory)
        place = Place(plan["configuration"], os.path.join(self.directory, "store"))
        persistent = "persistent" in place.engine.declare()["capabilities"]
        moved = in_phases = 0
        gc.collect()
        begin = self.began = clock()
        store = place.create()
        self._once("create", clock() - begin)
        read = read_bytes()
        restarts = persistent
        unsettled: list[str] = []
        for spec in plan["phases"]:
            name = spec["name"]
            self.link.progress(name)
            if spec["operation"] == "DELETE":
                self._size(place, entries, population)
                self.deleted = True
            if not writes(spec):
                self._settle(store, place, entries, population)
                if self.settled != "settled":
                    unsettled.append(name)
            chunk = plan["chunks"].get(name) or self.chunks.get(name, 1)
            phase = Phase(
                spec, entries, population, plan["seed"], chunk, self.collections,
                lambda share, name=name: self.link.progress(name, share),
            )  # fmt: skip
            phase_begin = clock()
            if spec["operation"] == "OPEN_GET":
                store.close()
                self.results.append(phase.run(place.reader()))
                self._fresh(spec, place, entries, population)
                store = place.open()
            else:
                self.results.append(phase.run(store))
            in_phases += clock() - phase_begin
            moved += phase.written
            self.memory.look()
            self.changed |= writes(spec)
            if restarts and spec["operation"] == "INSERT":
                restarts = False
                self.link.progress("open")
                store.close()
                begin = clock()
                store = place.open()
                self._once("open", clock() - begin)
        self._settle(store, place, entries, population)
        self.memory.look()
        begin = clock()
        store.close()
        self._once("close", clock() - begin)
        self._size(place, entries, population)
        self.card.update(
            settledDiskBytes=disk_usage(place.directory) if persistent else 0,
            settledLiveBytes=population.live_bytes(entries),
            settleNanos=self.settle_nanos,
            settled=self.settle_nanos >= 0 and self.settled == "settled",
            unsettled=unsettled,
            anonymousBytes=self.memory.anonymous,
            fileBytes=self.memory.file,
            readBytes=-1 if read < 0 else read_bytes() - read,
            writtenBytes=disk.after(place.directory, lambda: self.link.progress("sync")),
            movedBytes=moved,
        )
        return in_phases

    def _once(self, name: str, nanos: int) -> None:
        self.results.append(_once(name, name, 1, nanos))

    def _size(self, place: Place, entries, population: Population) -> None:
        """Records the size after the last write so far, unless something was deleted."""
        if not self.deleted and (self.changed or self.card["diskBytes"] < 0):
            self.card["diskBytes"] = disk_usage(place.directory)
            self.card["liveBytes"] = population.live_bytes(entries)

    def _settle(self, store, place: Place, entries, population: Population) -> None:
        """Waits until the engine has no work left, if something was written since the last wait."""
        if not self.changed:
            return
        self._size(place, entries, population)
        begin = since = time.monotonic()
        timeout = max(LEAST_TIMEOUT, (clock() - self.began) / 1e10)
        pending = quiet = 0
        while True:
            now = time.monotonic()
            work = store.background()
            if work is None:
                self.settled = "unknown"
                break
            jobs, due = work
            if jobs or not quiet or due != pending:
                quiet, since, pending = 0, now, due
            quiet += not jobs
            if quiet >= (IDLE_LOOKS if pending else QUIET_LOOKS):
                self.settled = "settled"
                break
            if now - begin >= timeout:
                self.settled, since = "gave up", now
                break
            self.link.progress("waiting for compaction")
            time.sleep(PAUSE)
        if self.settled != "unknown":
            self.settle_nanos = max(0, self.settle_nanos) + int((since - begin) * 1e9)
        self.changed = False

    def _fresh(self, spec: dict, place: Place, entries, population: Population) -> None:
        """The same read as in a script: from the start of an interpreter to its end."""
        phase = Phase(
            spec, entries, population, self.plan["seed"], 1, self.collections, lambda share: None
        )
        source = phase.source()
        histogram = Histogram()
        asked = spec["operations"] or MOST_FRESH * FRESH_SHARE
        count = min(MOST_FRESH, max(1, asked // FRESH_SHARE))
        total = moved = 0
        for done in range(count):
            i = source.index()
            key = entries.key(i)
            command = place.fresh(key)
            begin = clock()
            answer = subprocess.run(command, capture_output=True, check=False)
            nanos = clock() - begin
            generation = population.generations.get(i, 0)
            if answer.returncode or not entries.matches(i, generation, answer.stdout):
                said = answer.stderr.decode(errors="replace").strip().splitlines()
                raise Failure(
                    f"phase {spec['name']}{FRESH}: "
                    + (said[-1] if said else f"key number {i} gave other bytes than were written")
                )
            histogram.record([nanos])
            total += nanos
            moved += len(key) + len(answer.stdout)
            self.link.progress(spec["name"] + FRESH, (done + 1) / count)
        result = _once(spec["name"] + FRESH, "open-get", count, total)
        self.results.append({**result, "bytes": moved, "histogram": histogram.encoded()})


def _once(name: str, operation: str, operations: int, nanos: int) -> dict:
    return {
        "name": name,
        "operation": operation,
        "operations": operations,
        "nanos": max(1, nanos),
        "threads": 1,
        "entries": operations,
        "bytes": 0,
        "batch": 1,
        "cost": {
            "cpuNanos": -1,
            "gcNanos": 0,
            "allocatedBytes": -1,
            "readBytes": -1,
            "flushes": -1,
            "compileNanos": -1,
        },
        "histogram": None,
        "openLoop": None,
        "timeline": None,
        "caches": None,
    }


def _extra(plan: dict) -> int:
    """How many entries phases may add to the loaded ones."""
    extra = 0
    for phase in plan["phases"]:
        if phase["shape"]["mix"].get("INSERT", 0) > 0:
            records = plan["data"]["records"]
            most = phase["operations"] or (
                max(4_000_000, 4 * records) if phase["seconds"] > 0 else records
            )
            extra += most + phase["threads"]
    return extra
