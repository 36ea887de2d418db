"""Plays the traces of a trial through an engine's Python binding, see docs/internals/player-protocol.md."""

from __future__ import annotations

import gc
import json
import mmap
import os
import signal
import struct
import sys
import time
from collections import Counter
from functools import partial

import engines
from traces import BATCH, BATCH_END, DELETE, GET, PUT, SCAN, VALUE, blocks

PROTOCOL = 3
MARK = "@stadium "
INTERVAL_NANOS = 25_000_000
clock = time.perf_counter_ns


def main(arguments: list[str]) -> None:
    if sys.version_info < (3, 11):
        sys.exit("Python %d.%d: give one that is 3.11 or newer with --python" % sys.version_info[:2])
    if arguments == ["describe"]:
        _say("hello", **_hello())
    elif arguments == ["play"]:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
        player = Player()
        for line in sys.stdin.buffer:
            task = json.loads(line)
            _say("played", **getattr(player, task["task"])(task))
    else:
        sys.exit("give describe or play, and see docs/internals/player-protocol.md")


def _say(kind: str, **fields) -> None:
    print(MARK + json.dumps({"type": kind, **fields}), flush=True)


def _hello() -> dict:
    version = ".".join(map(str, sys.version_info[:3]))
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    lock = "with its global lock" if locked else "free-threaded"
    return {
        "protocol": PROTOCOL,
        "language": "python",
        "plays": [],
        "version": f"{sys.implementation.name} {version}, {lock}",
        "engines": [engines.describe(name) for name in engines.ENGINES],
    }


class Player:
    """Has a method for each task."""

    def __init__(self) -> None:
        self.store = None

    def open(self, task: dict) -> dict:
        begin = clock()
        self.store = engines.store(task)
        return {"nanos": clock() - begin}

    def close(self, task: dict) -> dict:
        begin = clock()
        self.store.close()
        return {"nanos": clock() - begin}

    def background(self, task: dict) -> dict:
        report = getattr(self.store, "background", None)
        jobs, pending = report() if report else (0, 0)
        return {"jobs": jobs, "pendingBytes": pending}

    def dump(self, task: dict) -> dict:
        begin = clock()
        with open(task["file"], "wb") as file:
            for key, value in self.store.scan_all():
                file.write(struct.pack(">II", len(key), len(value)) + key + value)
        return {"nanos": clock() - begin}

    def play(self, task: dict) -> dict:
        return self._play(task, self.store)

    def play_opening(self, task: dict) -> dict:
        return self._play(task, Opening(task))

    def _play(self, task: dict, store) -> dict:
        most = int(task["seconds"] * 1e9) or 1 << 62
        with open(task["values"], "rb") as file:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as values:
                (thread,) = task["threads"]  # it declares no more
                part = Part(thread.get("acknowledge"))
                for calls in made(thread["trace"], store, values):
                    part.run(calls, most)
                    part.check(calls, values)
                    if part.nanos >= most:
                        break
        return part.answer()


class Opening:
    """A closed store, which each read opens and closes again."""

    def __init__(self, task: dict) -> None:
        self.task = task

    def get(self, key: bytes) -> bytes | None:
        store = engines.store(self.task)
        try:
            return store.get(key)
        finally:
            store.close()


# ---- making calls, untimed -------------------------------------------------------------------


def made(path: str, store, values):
    """The calls of each block, each with the operations that it consists of."""
    steps = at = None  # of a call of several operations; where the next value is
    for block in blocks(path):
        calls = []
        for kind, hit, key, length, limit, count in block:
            if kind == VALUE:
                at = count
            elif kind == BATCH:
                steps = []
            elif kind == BATCH_END:
                calls.append((several(store, steps), steps))
                steps = None
            else:
                value = None if at is None else at if kind == SCAN else values[at : at + length]
                step = kind, hit, key, value, limit, count
                at = None
                if steps is None:
                    calls.append((single(store, step), [step]))
                else:
                    steps.append(step)
        yield calls


def single(store, step: tuple):
    kind, _, key, value, limit, _ = step
    if kind == GET:
        return partial(store.get, key)
    if kind == PUT:
        return partial(store.put, key, value)
    if kind == DELETE:
        return partial(store.delete, key)
    return partial(count_all, store) if limit < 0 else partial(store.scan, key, limit)


def several(store, steps: list[tuple]):
    kinds = {step[0] for step in steps}
    if kinds == {GET}:
        return partial(store.get_many, [step[2] for step in steps])
    if steps[0][0] == GET:
        return partial(read_modify_write, store, steps[0][2], steps[1][3])
    entries = [(key, value if kind == PUT else None) for kind, _, key, value, _, _ in steps]
    return partial(store.write, entries)


def read_modify_write(store, key: bytes, value: bytes) -> bytes | None:
    before = store.get(key)
    store.put(key, value)
    return before


def count_all(store) -> tuple[int, int]:
    count = size = 0
    for key, value in store.scan_all():
        size += len(key) + len(value)
        count += 1
    return count, size


def operations(steps: list[tuple]) -> int:
    """A batch of writes is as many operations as it has, and any other call is one."""
    return 1 if steps[0][0] == GET else len(steps)


class Part:
    """What a trace took and brought."""

    def __init__(self, acknowledge: str | None) -> None:
        self.origin, self.cpu, self.collected = clock(), 0, 0
        self.acknowledged = acknowledge and os.open(acknowledge, os.O_WRONLY | os.O_CREAT)
        self.ended = 0
        self.nanos = self.operations = self.entries = self.read = self.written = self.misses = 0
        self.latencies: Counter[int] = Counter()
        self.intervals: list[tuple[int, int, int]] = []
        self.wrong: str | None = None

    def run(self, calls: list[tuple], most: int) -> None:
        """Runs the calls one after the other, until they end or time does."""
        todo = [call for call, _ in calls]
        if self.acknowledged:
            todo = [partial(self.acknowledging, call) for call in todo]
        results: list = []
        latencies: list[int] = []
        keep, record = results.append, latencies.append
        used = time.process_time_ns()
        collected = collecting.nanos
        before = begin = clock()
        deadline = begin + most - self.nanos
        for call in todo:
            keep(call())
            now = clock()
            record(now - before)
            before = now
            if now > deadline:
                break
        self.cpu += time.process_time_ns() - used
        self.collected += collecting.nanos - collected
        self.results = results
        self.nanos += before - begin
        self.latencies.update(latencies)
        at, done, busy = begin - self.origin, 0, 0
        for latency, (_, steps) in zip(latencies, calls):
            busy += latency
            done += operations(steps)
            if busy >= INTERVAL_NANOS:
                at += busy
                self.intervals.append((at, done, busy))
                done = busy = 0
        if done:
            self.intervals.append((at + busy, done, busy))

    def acknowledging(self, call):
        result = call()
        self.ended += 1
        os.pwrite(self.acknowledged, b"%d\n" % self.ended, 0)
        return result

    # ---- checking results, untimed ----

    def check(self, calls: list[tuple], values) -> None:
        for (_, steps), result in zip(calls, self.results):
            self.operations += operations(steps)
            first = steps[0]
            if first[0] == SCAN:
                self._scanned(first, result, values)
            elif isinstance(result, list):
                if len(result) != len(steps):
                    self._is_wrong(f"a get of {len(steps)} keys gave {len(result)} values")
                for step, each in zip(steps, result):
                    self._got(step, each)
            else:
                for step in steps:
                    if step[0] == GET:
                        self._got(step, result)
                    else:
                        self.entries += 1
                        self.written += len(step[2]) + len(step[3] or b"")
                if first[0] == GET and len(steps) == 2:  # a read-modify-write has one key
                    self.read -= len(first[2])

    def _got(self, step: tuple, result: bytes | None) -> None:
        _, hit, key, value, _, _ = step
        self.entries += 1
        self.read += len(key) + len(result or b"")
        if not hit:
            if result is not None:
                self._is_wrong(f"key {key.hex()} was read after it had been deleted")
        elif result is None:
            self.misses += 1
        elif value is not None and result != value:
            self._is_wrong(f"key {key.hex()} gave other bytes than were written")

    def _scanned(self, step: tuple, result, values) -> None:
        _, hit, key, at, limit, expected = step
        if limit < 0:
            count, size = result
        else:
            count, size = len(result), sum(len(k) + len(v) for k, v in result)
            if hit and (not result or result[0][0] != key):
                self.misses += 1
            elif hit and at is not None and result[0][1] != values[at : at + len(result[0][1])]:
                self._is_wrong(f"a scan from key {key.hex()} gave other bytes than were written")
        self.entries += count
        self.read += size
        if expected >= 0 and count != expected:
            self._is_wrong(f"a scan found {count} entries where there are {expected}")

    def _is_wrong(self, what: str) -> None:
        self.wrong = self.wrong or what

    def answer(self) -> dict:
        thread = {
            "nanos": self.nanos,
            "operations": self.operations,
            "entries": self.entries,
            "readBytes": self.read,
            "writtenBytes": self.written,
            "misses": self.misses,
            "wrong": self.wrong,
            "latencies": sorted(self.latencies.items()),
            "intervals": self.intervals,
        }
        return {
            "nanos": clock() - self.origin,
            "threads": [thread],
            "cpuNanos": self.cpu,
            "gcNanos": self.collected,
        }


class Collecting:
    """How long the collector of cycles has stopped the program."""

    def __init__(self) -> None:
        self.began = self.nanos = 0
        gc.callbacks.append(self.called)

    def called(self, phase: str, _: dict) -> None:
        if phase == "start":
            self.began = clock()
        else:
            self.nanos += clock() - self.began


collecting = Collecting()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Exception as e:
        sys.exit(f"{type(e).__name__}: {e}")
