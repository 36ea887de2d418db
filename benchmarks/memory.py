#!/usr/bin/env python3
"""Whether memory= is kept: hours of churn in a control group of 1.1 times the budget plus heap and an empty process.

Usage: benchmarks/memory.py MINUTES ENGINE[=BUDGET]…, such as 60 rocksdb=256m sqlite lmdb (default budget: 256m; uses what
./stadium has built). Engines run one after the other. Without control groups that may be made, memory is only looked at.
"""
import contextlib, os, pathlib, re, shutil, subprocess, sys, tempfile, time

HOME = pathlib.Path(__file__).resolve().parent.parent
HEAP = "256m"
ON_HEAP = {"berkeleydb", "mvstore", "h2", "xodus"}  # their budget is part of the heap
MIB = 1 << 20


def size(text):
    number, unit = re.fullmatch(r"(\d+)([kmg]?)", text).groups()
    return int(number) << {"": 0, "k": 10, "m": 20, "g": 30}[unit]


def tree(pid):
    """A process and those that it has started."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in task.read_text().split():
                found += tree(int(child))
    return found


def memory(pid):
    """Anonymous and shared memory, and mapped files, of a process and its children, in bytes."""
    own = shared = files = 0
    for each in tree(pid):
        with contextlib.suppress(OSError):
            status = pathlib.Path(f"/proc/{each}/status").read_text()
            kib = {name: int(value) for name, value in re.findall(r"Rss(\w+):\s+(\d+)", status)}
            own += kib["Anon"] << 10
            shared = max(shared, kib["Shmem"] << 10)
            files += kib["File"] << 10
    return own + shared, files


class Group:
    """A control group of version 1 or 2 below this process's own, or none where that cannot be made."""

    def __init__(self, name, limit):
        self.path = None
        for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, place = line.split(":", 2)
            top = {"memory": "/sys/fs/cgroup/memory", "": "/sys/fs/cgroup"}.get(controllers)
            limits = "memory.limit_in_bytes" if controllers else "memory.max"
            # in a container the own group may be the top that is mounted
            for parent in [top + place, top] if top else []:
                path = pathlib.Path(parent) / f"stadium-{os.getpid()}-{name}"
                with contextlib.suppress(OSError):
                    path.mkdir()
                    self.path = path
                    (path / limits).write_text(str(limit))
                    return
                self.close()

    def add(self, pid):
        if self.path:
            (self.path / "cgroup.procs").write_text(str(pid))

    def close(self):
        if self.path:
            for _ in range(100):  # until the kernel has seen its processes end
                with contextlib.suppress(OSError):
                    self.path.rmdir()
                    break
                time.sleep(0.05)
            self.path = None


def run(engine, budget, minutes):
    dist = HOME / "dist"
    folders = [dist / "lib", dist / "check", dist / "engines" / engine]
    jdk = subprocess.run(["sh", HOME / "packaging" / "jdk.sh"], capture_output=True, text=True, check=True).stdout.strip()
    work = pathlib.Path(tempfile.mkdtemp(prefix="memory-", dir=os.environ.get("TMPDIR")))
    command = [
        f"{jdk}/bin/java", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
        "--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        f"-Djava.io.tmpdir={work}", f"-Xms{HEAP}", f"-Xmx{HEAP}", "-XX:+AlwaysPreTouch",
        "-cp", ":".join(f"{folder}/*" for folder in folders), "io.kvstadium.conformance.OtherProcess"]
    process = subprocess.Popen(
        [str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(work / "says", "w"), text=True)

    def ask(line):
        process.stdin.write(line + "\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    group = None
    try:
        url = f"{engine}:{work}/store?memory={budget}"
        answer = ask(f"write {url}")
        for n in range(20):
            answer = answer and ask(f"churn {n} 1")
        empty, _ = memory(process.pid)
        # on the heap, which is all touched: what the JVM takes besides for compiled code and buffers of files
        limit = empty + (64 * MIB if engine in ON_HEAP else int(1.1 * size(budget)) + 32 * MIB)
        group = Group(engine, limit)
        for pid in tree(process.pid):
            group.add(pid)
        begin = time.time()
        most = files = said = rounds = 0
        first = last = 0
        while answer == "ok" and time.time() < begin + 60 * minutes:
            answer = ask(f"churn {rounds} 500")
            rounds += 1
            now, mapped = memory(process.pid)
            most, files, last = max(most, now), max(files, mapped), now
            if time.time() < begin + 6 * minutes:
                first = now  # after a tenth of the time
            if answer == "ok":
                said = max(said, int(ask("memory").split()[1]))
        kept = answer == "ok" and most <= limit
        print(f"| `{engine}` | {budget} | {minutes:g} | {rounds * 10 / 1000:.1f} | {empty / MIB:.0f} | {first / MIB:.0f} "
              f"| {last / MIB:.0f} | {most / MIB:.0f} | {said / MIB:.0f} | {files / MIB:.0f} | {limit / MIB:.0f}"
              f"{' in a control group' if group.path else ''} | {'kept' if kept else 'BROKEN' if answer == 'ok' else answer or 'it ended'} |",
              flush=True)
        return kept
    finally:
        with contextlib.suppress(OSError):
            process.stdin.close()  # it ends, and with it its server
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
        if group:
            group.close()
        shutil.rmtree(work, ignore_errors=True)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print("| engine | budget | min | GB written | MB: empty | after a tenth | at the end | most | engine's own count "
          "| mapped files | limit | |\n|" + " --- |" * 12, flush=True)
    kept = [run(*(each.split("=") + ["256m"])[:2], float(sys.argv[1])) for each in sys.argv[2:]]
    sys.exit(0 if all(kept) else 1)


if __name__ == "__main__":
    main()
