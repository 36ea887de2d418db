"""The worker's end of the link to Stadium: JSON lines, marked to stand out from engine output."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time

from . import PROTOCOL, __version__
from .usage import Memory, device_bytes, waits_for_disk

MARK = "@stadium "
PROGRESS_SECONDS = 0.2
PERIOD = 1.0
LEAST_CPU_SHARE = 0.05
LEAST_BYTES = 16 << 10


def language() -> str:
    """The interpreter's name, version and global lock."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    version = ".".join(map(str, sys.version_info[:3]))
    lock = "with its global lock" if locked else "free-threaded"
    return f"{sys.implementation.name} {version}, {lock}"


class Link:
    """Thread-safe."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.sent = time.monotonic()
        self.phase, self.progressed = "", 0.0

    def send(self, kind: str, **fields) -> None:
        line = MARK + json.dumps({"type": kind, **fields}, separators=(",", ":")) + "\n"
        with self.lock:
            sys.stdout.write(line)
            sys.stdout.flush()
            self.sent = time.monotonic()

    def hello(self, engines: list[dict] | None = None) -> None:
        self.send(
            "hello",
            protocol=PROTOCOL,
            language="python",
            version=language(),
            worker=__version__,
            engines=engines or [],
        )

    def progress(self, phase: str, share: float = 0.0) -> None:
        now = time.monotonic()
        if phase != self.phase or now - self.progressed >= PROGRESS_SECONDS:
            self.phase, self.progressed = phase, now
            self.send("progress", phase=phase, share=share)


def read_line() -> dict:
    """The next line of standard input."""
    return json.loads(sys.stdin.readline())


def live_with_parent(link: Link, memory: Memory) -> None:
    """Ends this process with its parent, and reports long-running work to it.

    Ctrl-C in a terminal also reaches this process, but the parent decides.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    threading.Thread(target=_beat, args=(link, memory), daemon=True).start()


def _end_with_parent() -> None:
    # not through sys.stdin, whose lock would delay the interpreter's exit
    while os.read(0, 4096):
        pass
    os._exit(1)


def _beat(link: Link, memory: Memory) -> None:
    at, cpu, moved, own = 0.0, 0.0, 0, -1.0
    while True:
        time.sleep(PERIOD)
        memory.look()
        now = time.monotonic()
        if link.sent != own and now - link.sent < PERIOD:
            at = 0.0
            continue
        used, bytes_now = time.process_time(), device_bytes()
        seconds = now - at
        if at and (
            used - cpu >= LEAST_CPU_SHARE * seconds
            or bytes_now - moved >= LEAST_BYTES * seconds
            or waits_for_disk()
        ):
            link.send("working")
            own = link.sent
        at, cpu, moved = now, used, bytes_now
