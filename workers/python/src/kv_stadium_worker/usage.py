"""What the process has used: processor, memory, disk, garbage collections."""

from __future__ import annotations

import gc
import os
import time

clock = time.perf_counter_ns


class Collections:
    """Garbage collections, as they happen: when each ended, and how long it took."""

    def __init__(self) -> None:
        self.ended: list[tuple[int, int]] = []
        self.nanos = 0
        self.began = 0
        gc.callbacks.append(self)

    def __call__(self, phase: str, info: dict) -> None:
        if phase == "start":
            self.began = clock()
        else:
            now = clock()
            self.nanos += now - self.began
            self.ended.append((now, now - self.began))


def _numbers(path: str) -> dict[str, int]:
    """The lines `name: number` of a system file; empty if there is no such file."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            parts = [line.split(":") for line in file]
    except OSError:
        return {}
    found = {}
    for part in parts:
        words = part[1].split() if len(part) == 2 else []
        if words and words[0].isdigit():
            found[part[0]] = int(words[0])
    return found


def read_bytes() -> int:
    """Bytes read from devices by this process, or -1."""
    return _numbers("/proc/self/io").get("read_bytes", -1)


class Memory:
    """The maximum memory that was observed; -1 where unknown."""

    def __init__(self) -> None:
        self.anonymous = self.file = -1

    def look(self) -> None:
        status = _numbers("/proc/self/status")
        self.anonymous = max(self.anonymous, status.get("RssAnon", -1) * 1024)
        self.file = max(self.file, status.get("RssFile", -1) * 1024)


def disk_usage(directory: str) -> int:
    """Bytes in allocated blocks of all files below a directory."""
    try:
        blocks = os.stat(directory).st_blocks
    except OSError:
        return -1
    folders = [directory]
    while folders:
        try:
            with os.scandir(folders.pop()) as found:
                for each in found:
                    blocks += each.stat(follow_symlinks=False).st_blocks
                    if each.is_dir(follow_symlinks=False):
                        folders.append(each.path)
        except FileNotFoundError:
            continue  # the engine has just removed it
    return blocks * 512


class DiskWrites:
    """Bytes written to the disk under a directory, by the disk's own count."""

    def __init__(self, directory: str) -> None:
        device = os.stat(directory).st_dev
        self.stat = f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat"
        self.before = self._now()

    def _now(self) -> int:
        try:
            with open(self.stat, encoding="ascii") as file:
                return int(file.read().split()[6]) * 512
        except OSError:
            return -1

    def after(self, store: str, progress) -> int:
        """Syncs a closed store's files, and returns the bytes written since the start, or -1."""
        if self.before < 0:
            return -1
        for folder, _, names in os.walk(store):
            for name in names:
                progress()
                file = os.open(os.path.join(folder, name), os.O_RDONLY)
                try:
                    os.fsync(file)
                finally:
                    os.close(file)
        return self._now() - self.before


def uptime() -> float:
    """Seconds since this process was started; 0 where that is unknown."""
    try:
        with open("/proc/self/stat", encoding="latin-1") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])
    except OSError:
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
