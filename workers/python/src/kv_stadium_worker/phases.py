"""One phase of a trial: operations are prepared untimed, run timed, and checked untimed.

The timed part reads the clock once per operation, or once per chunk of operations where one takes
less than a microsecond. Everything that it needs is already in lists, and what it reads is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from .distribution import can_grow, growing, needs_key_order, stream
from .histogram import Histogram
from .mixing import Draws, derive
from .sizes import Sizes
from .usage import Collections, clock, read_bytes

CAPACITY = 512
FIRST_BLOCK = 32
MOST_BLOCK_NANOS = 25_000_000
FOREVER = 1 << 62
DELETED = -1

WHOLE = ("INSERT", "SCAN_ALL")
WRITES = ("INSERT", "UPDATE", "DELETE", "READ_MODIFY_WRITE")
ORDER = (
    "INSERT", "LOAD", "GET", "LEND", "UPDATE", "MULTI_GET", "READ_MODIFY_WRITE", "OPEN_GET",
    "MIXED", "SCAN", "SCAN_ALL", "DELETE",
)  # fmt: skip


def writes(spec: dict) -> bool:
    operations = spec["shape"]["mix"] if spec["operation"] == "MIXED" else [spec["operation"]]
    return any(each in WRITES for each in operations)


class Failure(Exception):
    """A trial has no figures: the reason is its message."""


class Population:
    """Which keys a store holds, and in which generations."""

    def __init__(self, loaded: int, room: int) -> None:
        self.loaded, self.room = loaded, room
        self.generations: dict[int, int] = {}  # only those that are not 0
        self.frontier = loaded
        self.added = 0
        self.loaded_bytes = -1

    def live(self) -> int:
        gone = sum(g == DELETED for i, g in self.generations.items() if i < self.loaded)
        return self.loaded - gone + self.added

    def live_bytes(self, workset) -> int:
        """Exact for up to 100,000 rewritten keys; above that, an estimate from 100,000."""
        if self.loaded_bytes < 0:
            return -1
        changed = [(i, g) for i, g in self.generations.items() if i < self.loaded]
        looked = changed[:: len(changed) // 100_000 + 1]
        change = 0
        for i, g in looked:
            now = 0 if g == DELETED else len(workset.key(i)) + workset.value_length(i, g)
            change += now - len(workset.key(i)) - workset.value_length(i, 0)
        more = sum(
            len(workset.key(i)) + workset.value_length(i, self.generations.get(i, 0))
            for i in range(self.loaded, self.frontier)
            if self.generations.get(i, 0) != DELETED
        )
        return self.loaded_bytes + round(change * len(changed) / max(1, len(looked))) + more


class Timeline:
    """Throughput over time, in intervals that grow with the phase."""

    FIRST = 50_000_000
    MOST = 512

    def __init__(self) -> None:
        self.origin = clock()
        self.interval = self.FIRST
        self.operations: list[int] = []
        self.busy: list[int] = []

    def add(self, at: int, count: int, busy: int) -> None:
        number = (at - self.origin) // self.interval
        while number >= self.MOST:
            for each in (self.operations, self.busy):
                each[:] = [sum(each[k : k + 2]) for k in range(0, len(each), 2)]
            self.interval *= 2
            number //= 2
        missing = number + 1 - len(self.operations)
        self.operations += [0] * missing
        self.busy += [0] * missing
        self.operations[number] += count
        self.busy[number] += busy

    def result(self, collections: Collections) -> dict:
        count = len(self.operations)
        collected = [0] * count
        for at, nanos in collections.ended:
            if at >= self.origin:
                collected[min(count - 1, (at - self.origin) // self.interval)] += nanos
        return {
            "intervalNanos": self.interval,
            "operations": self.operations,
            "busyNanos": self.busy,
            "gcNanos": collected,
            "compactions": [-1] * count,
        }


class Phase:
    """Runs once."""

    def __init__(
        self,
        spec: dict,
        workset,
        population: Population,
        seed: int,
        chunk: int,
        collections: Collections,
        progress: Callable[[float], None],
    ) -> None:
        self.spec, self.workset, self.population, self.seed = spec, workset, population, seed
        self.operation = spec["operation"]
        self.shape = spec["shape"]
        self.batch = self.shape["batch"]
        self.chunk = chunk
        self.collections, self.progress = collections, progress
        self.phase_seed = derive(seed, "phase " + spec["name"])
        self.histogram = Histogram()
        self.operations = self.nanos = self.entries = self.bytes = self.written = self.misses = 0
        self.wrong: str | None = None
        self.greatest: bytes | None = None
        self.one_call = self.operation == "SCAN_ALL"

    def run(self, store) -> dict:
        """The phase's result, in the form of results.json."""
        self.store = store
        cpu, read, collected = time.process_time_ns(), read_bytes(), self.collections.nanos
        self.timeline = Timeline()
        if self.operation == "INSERT":
            self._insert_all()
        elif self.one_call:
            self._scan_all()
        else:
            self._operations()
        self._refuse()
        name, word = self.spec["name"], self.operation.lower().replace("_", "-")
        return {
            "name": name,
            "operation": word,
            "operations": self.operations,
            "nanos": max(1, self.nanos),
            "threads": 1,
            "entries": self.entries,
            "bytes": self.bytes,
            "batch": self.operations
            if self.one_call
            else self.batch
            if self.batch > 1
            else self.chunk,
            "cost": {
                "cpuNanos": time.process_time_ns() - cpu,
                "gcNanos": self.collections.nanos - collected,
                "allocatedBytes": -1,
                "readBytes": -1 if read < 0 else read_bytes() - read,
                "flushes": -1,
                "compileNanos": -1,
            },
            "histogram": None if self.one_call else self.histogram.encoded(),
            "openLoop": None,
            "timeline": None if self.one_call else self.timeline.result(self.collections),
            "caches": None,
        }

    def _refuse(self) -> None:
        name = self.spec["name"]
        if self.wrong:
            raise Failure(f"phase {name}: {self.wrong}")
        if self.misses:
            raise Failure(
                f"phase {name}: {self.misses} of {self.operations} reads missed keys that had been"
                " written"
            )
        if self.operations == 0:
            raise Failure(f"phase {name} did nothing: there is nothing to work on")

    # ---- timed ---------------------------------------------------------------------------------

    def _run(self, calls: list, deadline: int) -> list:
        """Runs the calls one after the other; returns their results, fewer if time is up."""
        results: list = []
        latencies: list[int] = []
        keep, record = results.append, latencies.append
        chunk = self.chunk
        before = begin = clock()
        if chunk == 1:
            for call in calls:
                keep(call())
                now = clock()
                record(now - before)
                before = now
                if now > deadline:
                    break
        else:
            for k in range(0, len(calls), chunk):
                results += [call() for call in calls[k : k + chunk]]
                now = clock()
                record(now - before)
                before = now
                if now > deadline:
                    break
        self._took(before - begin, before, len(results), latencies)
        return results

    def _run_batch(self, entries: list) -> None:
        write = self.store.write
        begin = clock()
        write(entries)
        now = clock()
        self._took(now - begin, now, len(entries), [now - begin])

    # ---- untimed -------------------------------------------------------------------------------

    def _took(self, nanos: int, at: int, done: int, latencies: list[int]) -> None:
        self.last_block = nanos
        self.nanos += nanos
        self.operations += done
        self.histogram.record(latencies)
        self.timeline.add(at, done, nanos)

    def _next_block(self, done: int, capacity: int) -> int:
        return min(capacity, max(1, MOST_BLOCK_NANOS * done // max(1, self.last_block)))

    def _most_nanos(self) -> int:
        seconds = self.spec["seconds"]
        return int(seconds * 1e9) if seconds > 0 else FOREVER

    def _insert_all(self) -> None:
        workset, population = self.workset, self.population
        asked = self.spec["operations"]
        most = min(asked, workset.count) if asked > 0 else workset.count
        most_nanos = self._most_nanos()
        capacity = min(self.batch, workset.count) if self.batch > 1 else CAPACITY
        size = capacity if self.batch > 1 else FIRST_BLOCK
        entries = workset.entries()
        put = self.store.put
        while self.operations < most and self.nanos < most_nanos:
            block = _take(entries, min(size, most - self.operations))
            if not block:
                break
            if self.batch > 1:
                self._run_batch(block)
            else:
                self._run([partial(put, key, value) for key, value in block], FOREVER)
                size = self._next_block(len(block), CAPACITY)
            moved = sum(len(key) + len(value) for key, value in block)
            self.bytes += moved
            self.written += moved
            self.entries += len(block)
            self.progress(self.operations / most)
        if self.operations == workset.count:
            population.generations.clear()
            population.loaded_bytes = self.bytes
        else:
            population.loaded_bytes = max(population.loaded_bytes, self.bytes)

    def _scan_all(self) -> None:
        expected = self.population.live()
        count = moved = 0
        begin = clock()
        for key, value in self.store.scan_all():
            moved += len(key) + len(value)
            count += 1
        self.nanos = clock() - begin
        self.operations = self.entries = count
        self.bytes = moved
        if count != expected and self.population.loaded == self.workset.count:
            self.wrong = f"the scan found {count} entries where there are {expected}"

    def source(self) -> _Source:
        return _Source(self)

    def _operations(self) -> None:
        source = self.source()
        asked, seconds = self.spec["operations"], self.spec["seconds"]
        loaded = self.population.loaded
        most = asked or (FOREVER if seconds > 0 else loaded)
        if self.operation == "DELETE":
            most = min(most, loaded)
        most_nanos = self._most_nanos()
        capacity = (
            min(self.batch, max(1, self.workset.count))
            if self.batch > 1
            else max(1, CAPACITY // self.shape["keys"])
        )
        size = capacity if self.batch > 1 else min(FIRST_BLOCK, capacity)
        while self.operations < most and self.nanos < most_nanos:
            calls, notes = self._fill(min(size, most - self.operations), source)
            if self.batch > 1:
                self._run_batch([(note[3], note[4]) for note in notes])
                results: list = [None] * len(notes)
            else:
                results = self._run(calls, clock() + most_nanos - self.nanos)
                size = self._next_block(len(results), capacity)
            for note in reversed(notes[len(results) :]):
                self._forget(note, source)
            for note, result in zip(notes, results):
                self._check(note, result)
            share = self.operations / min(most, max(1, self.workset.count) * 1_000_000)
            self.progress(min(1.0, max(share, self.nanos / most_nanos)))
        source.end()

    def _fill(self, count: int, source: _Source) -> tuple[list, list]:
        """The next calls, with the data to check each: operation, index, generation, key, value."""
        store, workset = self.store, self.workset
        generations = self.population.generations
        key_of, value_of = workset.key, workset.value
        calls, notes = [], []
        for _ in range(count):
            operation = source.operation()
            if operation == "MULTI_GET":
                indexes = [source.index() for _ in range(self.shape["keys"])]
                keys = [key_of(i) for i in indexes]
                expected = [generations.get(i, 0) for i in indexes]
                calls.append(partial(store.get_many, keys))
                notes.append((operation, indexes, expected, keys, None))
                continue
            i = source.added() if operation == "INSERT" else source.index()
            key = key_of(i)
            prior = generations.get(i, 0)
            value = None
            if operation in ("UPDATE", "READ_MODIFY_WRITE"):
                generation = max(prior, 0) + 1
                value = value_of(i, generation)
                generations[i] = generation
                if operation == "UPDATE":
                    calls.append(partial(store.put, key, value))
                else:
                    calls.append(partial(_read_modify_write, store, key, value))
            elif operation == "INSERT":
                value = value_of(i, prior)
                calls.append(partial(store.put, key, value))
            elif operation == "DELETE":
                generations[i] = DELETED
                calls.append(partial(store.delete, key))
            elif operation == "SCAN":
                value = source.length()
                calls.append(partial(store.scan, key, value))
            else:  # GET, LEND, OPEN_GET
                calls.append(partial(store.get, key))
            notes.append((operation, i, prior, key, value))
        return calls, notes

    def _forget(self, note: tuple, source: _Source) -> None:
        operation, i, prior = note[:3]
        if operation == "INSERT":
            source.forget()
        elif operation in WRITES:
            self.population.generations[i] = prior

    def _check(self, note: tuple, result) -> None:
        operation, i, generation, key, value = note
        if operation == "MULTI_GET":
            if len(result) != len(key):
                self._is_wrong(f"a multi-get of {len(key)} keys gave {len(result)} values")
            for each in zip(i, generation, key, result):
                self._read(*each)
        elif operation == "SCAN":
            self._scanned(i, generation, key, value, result)
        elif operation in ("GET", "LEND", "OPEN_GET"):
            self._read(i, generation, key, result)
        else:
            if operation == "READ_MODIFY_WRITE":
                self._read(i, generation, b"", result)
            moved = len(key) + len(value or b"")
            self.entries += 1
            self.bytes += moved
            self.written += moved

    def _read(self, i: int, generation: int, key: bytes, result: bytes | None) -> None:
        self.entries += 1
        self.bytes += len(key) + len(result or b"")
        if generation == DELETED:
            if result is not None:
                self._is_wrong(f"key number {i} was read after it had been deleted")
        elif result is None:
            self.misses += 1
        elif self.wrong is None and not self.workset.matches(i, generation, result):
            self._is_wrong(
                f"key number {i} gave other bytes than were written (generation {generation})"
            )

    def _scanned(self, i: int, generation: int, start: bytes, length: int, found: list) -> None:
        self.entries += len(found)
        self.bytes += sum(len(key) + len(value) for key, value in found)
        if generation != DELETED:
            if not found or found[0][0] != start:
                self.misses += 1
            elif not self.workset.matches(i, generation, found[0][1]):
                self._is_wrong(f"a scan from key number {i} gave other bytes than were written")
        whole = self.population.loaded == self.workset.count and not writes(self.spec)
        if len(found) < length and whole and self.population.added == 0:
            last = found[-1][0] if found else None
            if last != self._greatest():
                self._is_wrong(
                    f"a scan from key number {i} ended after {len(found)} entries, before the last"
                    " one of the table"
                )

    def _greatest(self) -> bytes | None:
        if self.greatest is None:
            generations, key = self.population.generations, self.workset.key
            there = (i for i in range(self.population.loaded) if generations.get(i, 0) != DELETED)
            self.greatest = max(map(key, there), default=None)
        return self.greatest

    def _is_wrong(self, what: str) -> None:
        self.wrong = self.wrong or what


def _take(entries: Iterator, count: int) -> list:
    block = []
    for entry in entries:
        block.append(entry)
        if len(block) == count:
            break
    return block


def _read_modify_write(store, key: bytes, value: bytes) -> bytes | None:
    before = store.get(key)
    store.put(key, value)
    return before


class _Source:
    """The source of operations: their kinds, keys and scan lengths."""

    def __init__(self, phase: Phase) -> None:
        spec, workset = phase.spec, phase.workset
        self.population = population = phase.population
        self.first = self.next = population.frontier
        mix = phase.shape["mix"] if phase.operation == "MIXED" else {phase.operation: 1.0}
        self.mix = []
        total = 0.0
        for operation in sorted(mix, key=ORDER.index):
            total += mix[operation]
            self.mix.append((total, operation))
        self.total = total
        self.random = Draws(derive(phase.phase_seed, "mix 0"))
        lengths = Sizes(phase.shape["scanLength"])
        draws = Draws(derive(derive(phase.phase_seed, "lengths"), 0))
        self.length = lambda: max(1, lengths.pick(draws.bits()))
        law = spec["distribution"]
        if phase.operation == "DELETE" and law != "sequential":
            law = "shuffled"  # a key can be deleted only once
        loaded = population.loaded
        order = workset.key_order() if needs_key_order(law) else None
        if "INSERT" in mix and can_grow(law):
            places = growing(
                law,
                lambda: loaded + self.next - self.first,
                loaded + population.room - population.frontier,
                phase.seed,
                phase.phase_seed,
            )
            self.index = lambda: self._at(places(), order)
        else:
            places = stream(law, loaded, phase.seed, phase.phase_seed)
            self.index = places if order is None else lambda: order[places()]

    def _at(self, place: int, order: list[int] | None) -> int:
        loaded = self.population.loaded
        if place >= loaded:
            return self.first + place - loaded
        return place if order is None else order[place]

    def operation(self) -> str:
        if len(self.mix) == 1:
            return self.mix[0][1]
        drawn = self.random.unit() * self.total
        for bound, operation in self.mix[:-1]:
            if drawn < bound:
                return operation
        return self.mix[-1][1]

    def added(self) -> int:
        if self.next >= self.population.room:
            raise Failure("there are no more new keys to insert: give the phase fewer operations")
        self.next += 1
        return self.next - 1

    def forget(self) -> None:
        self.next -= 1

    def end(self) -> None:
        self.population.added += self.next - self.first
        self.population.frontier = self.next
