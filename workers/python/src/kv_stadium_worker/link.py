"""The worker's end of the link to Stadium: JSON lines, marked to stand out from engine output."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time

from . import PROTOCOL, __version__
from .usage import Memory

MARK = "@stadium "
PROGRESS_SECONDS = 0.2
PERIOD = 1.0


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
        self.phase, self.progressed = "", 0.0

    def send(self, kind: str, **fields) -> None:
        line = MARK + json.dumps({"type": kind, **fields}, separators=(",", ":")) + "\n"
        with self.lock:
            sys.stdout.write(line)
            sys.stdout.flush()

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


def live_with_parent(memory: Memory) -> None:
    """Ends this process with its parent, and looks at its memory now and then.

    Ctrl-C in a terminal also reaches this process, but the parent decides.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    threading.Thread(target=_look, args=(memory,), daemon=True).start()


def _end_with_parent() -> None:
    # not through sys.stdin, whose lock would delay the interpreter's exit
    while os.read(0, 4096):
        pass
    os._exit(1)


def _look(memory: Memory) -> None:
    while True:
        time.sleep(PERIOD)
        memory.look()
