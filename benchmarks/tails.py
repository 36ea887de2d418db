#!/usr/bin/env python3
"""The slow answers of stadium serve after a restart, and what the JVM did meanwhile: see benchmarks/README.md.

3,000 requests a second of eight commands on 20 connections, each due at its own time whether or not the one before is answered,
for a minute from the line that says ready on; the keys are there. redis-server with appendfsync everysec takes turns.

Usage: benchmarks/tails.py [engine …] [--rounds 3] [--seconds 60] [--causes]     (default: rocksdb)
--causes: one run of each engine under the JVM's recorder instead, and a histogram of its answers by cause.
Needs redis-server. STADIUM names another checkout.
"""
import argparse, contextlib, json, os, pathlib, random, selectors, shutil, socket, statistics, subprocess, tempfile, time
from serving import HOME, PROGRAM, free_port, listening, load, stadium

RATE, CONNECTIONS, KEYS = 3000, 20, 100_000
SLOW_MS = 2
EDGES = [2, 5, 10, 20, 50, 100, 1e9]
# The first that overlaps an answer's wait is its cause: a pause stops everything, and what compiles or loads takes a processor.
CAUSES = {
    "a pause of the collector": ["jdk.GCPhasePause"],
    "another pause of the JVM": ["jdk.ExecuteVMOperation"],
    "a long wait for a monitor": ["jdk.JavaMonitorEnter"],
    "a write or sync of a file by Java": ["jdk.FileForce", "jdk.FileWrite"],
    "the JIT compiler": ["jdk.Compilation"],
    "classes that load": ["jdk.ClassLoad"],
}


def requests(seed):
    chance = random.Random(seed)
    value = "x" * 100
    while True:
        i = chance.randrange(KEYS)
        yield from (
            ("GET", f"key:{i}"), ("SET", f"key:{i}", value), ("INCR", f"count:{i % 1000}"), ("LPUSH", f"list:{i % 100}", value),
            ("RPOP", f"list:{i % 100}"), ("HSET", f"hash:{i % 1000}", f"f{i % 10}", value), ("HGET", f"hash:{i % 1000}", f"f{i % 7}"),
            ("ZADD", f"set:{i % 1000}", i, f"m{i % 10}"))


def encoded(words):
    words = [str(w).encode() for w in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)


class Connection:
    """One connection; counts complete replies, none of which is an array."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self.due, self.rest = [], b""

    def read(self):
        data = self.rest + self.socket.recv(1 << 16)
        at, count = 0, 0
        while (end := data.find(b"\r\n", at)) >= 0:
            if data[at:at + 1] == b"-":
                raise RuntimeError(f"the server said {data[at:end]!r}")
            next_at = end + 2
            if data[at:at + 1] == b"$" and data[at + 1:end] != b"-1":
                next_at += int(data[at + 1:end]) + 2
            if next_at > len(data):
                break
            at, count = next_at, count + 1
        self.rest = data[at:]
        return count


def drive(port, seconds):
    """(due, answered) of each request, in seconds since the epoch."""
    selector = selectors.DefaultSelector()
    connections = [Connection(port) for _ in range(CONNECTIONS)]
    for each in connections:
        selector.register(each.socket, selectors.EVENT_READ, each)
    made = [encoded(words) for _, words in zip(range(RATE * seconds), requests(port))]
    found, sent, begin = [], 0, time.time()
    while len(found) < len(made):
        now = time.time()
        while sent < len(made) and begin + sent / RATE <= now:
            connection = connections[sent % CONNECTIONS]
            connection.due.append(begin + sent / RATE)
            connection.socket.sendall(made[sent])
            sent += 1
        wait = begin + sent / RATE - time.time() if sent < len(made) else 5
        ready = selector.select(max(0, wait))
        now = time.time()
        if not ready and sent == len(made):
            raise RuntimeError(f"{len(made) - len(found)} requests were not answered")
        for key, _ in ready:
            connection = key.data
            count = connection.read()
            found += [(due, now) for due in connection.due[:count]]
            del connection.due[:count]
    for each in connections:
        each.socket.close()
    return found


def fill(port):
    load(port, KEYS, lambda i: ("SET", f"key:{i}", "x" * 100))


def at(values, share):
    return values[min(len(values) - 1, int(len(values) * share))]


def show(name, found, seconds):
    begin = found[0][0]
    cells = []
    for low, high in ((0, 10), (10, seconds), (0, seconds)):
        waits = sorted((answered - due) * 1000 for due, answered in found if low <= due - begin < high)
        if waits:
            cells.append([at(waits, share) for share in (0.5, 0.99, 0.999)] + [waits[-1]])
    print(f"  {name:8}" + "   ".join("".join(f"{cell:9.2f}" for cell in each) for each in cells), flush=True)
    return [each[1] for each in cells]


def minutes(work, engines, rounds, seconds):
    print("tails: milliseconds, 3,000 requests a second from ready on; p50, p99, p99.9 and most; of the first 10 s, of the rest, and of all")
    p99 = {}
    for number in range(rounds):
        for name in ["redis", *engines]:
            with server(work, name) as port:
                if number == 0:
                    fill(port)
            with server(work, name) as port:
                p99.setdefault(name, []).append(show(name, drive(port, seconds), seconds))
    for name in engines:
        ratios = [[own / other for own, other in zip(*pair)] for pair in zip(p99[name], p99["redis"])]
        middle = [statistics.median(each) for each in zip(*ratios)]
        print(f"  {name}: p99 of redis-server's: {', '.join(f'{each:.2f}' for each in middle)} (medians of {rounds})")


@contextlib.contextmanager
def server(work, name):
    if name == "redis":
        port = free_port()
        home = work / "redis"
        home.mkdir(exist_ok=True)
        command = ["redis-server", "--port", port, "--save", "", "--dir", home, "--appendonly", "yes"]
        with listening(command, home, port) as own:
            time.sleep(1)  # it answers LOADING until then
            yield own
    else:
        with stadium(f"{name}:{work}/{name}") as ports:
            yield ports["redis"]


def causes(work, engine, seconds):
    recording = work / f"{engine}.jfr"
    settings = work / "causes.jfc"
    events = "".join(
        f'<event name="{name}"><setting name="enabled">true</setting><setting name="threshold">1 ms</setting></event>'
        for each in CAUSES.values() for name in each)
    settings.write_text(f'<?xml version="1.0" encoding="UTF-8"?><configuration version="2.0">{events}</configuration>')
    with server(work, engine) as port:
        fill(port)
    os.environ["STADIUM_JAVA_OPTS"] = f"-XX:StartFlightRecording:filename={recording},settings={settings}"
    try:
        with server(work, engine) as port:
            found = drive(port, seconds)
    finally:
        del os.environ["STADIUM_JAVA_OPTS"]
    jfr = pathlib.Path(subprocess.run(["sh", HOME / "packaging" / "jdk.sh", "--javac"], check=True, stdout=subprocess.PIPE, text=True)
                       .stdout.strip()) / "bin" / "jfr"
    names = ",".join(name for each in CAUSES.values() for name in each)
    printed = subprocess.run([jfr, "print", "--json", "--events", names, recording], check=True, stdout=subprocess.PIPE, text=True)
    spans = {cause: [] for cause in CAUSES}
    for event in json.loads(printed.stdout)["recording"]["events"]:
        for cause, types in CAUSES.items():
            if event["type"] in types:
                values = event["values"]
                start = moment(values["startTime"])
                spans[cause].append((start, start + float(values["duration"].removeprefix("PT").removesuffix("S"))))
    print(f"causes: {engine}, answers by how long they took, in milliseconds, and what went on meanwhile")
    print(f"  {'':36}" + "".join(f"{f'{low:.0f} to {high:.0f}' if high < 1e9 else f'over {low:.0f}':>12}" for low, high in zip(EDGES, EDGES[1:])))
    counts = {cause: [0] * (len(EDGES) - 1) for cause in [*CAUSES, "none of these"]}
    for due, answered in found:
        took = (answered - due) * 1000
        if took >= SLOW_MS:
            bucket = next(i for i, edge in enumerate(EDGES[1:]) if took < edge)
            cause = next(
                (cause for cause, each in spans.items() if any(begin < answered and end > due for begin, end in each)), "none of these")
            counts[cause][bucket] += 1
    for cause, row in counts.items():
        print(f"  {cause:36}" + "".join(f"{count:12}" for count in row))


def moment(text):
    """Of a date as the recorder writes it, in seconds since the epoch."""
    from datetime import datetime
    date, zone = text[:19], text[text.rindex("+" if "+" in text else "Z"):] if text[-1] == "Z" or "+" in text else ""
    fraction = float("0" + text[19:len(text) - len(zone)]) if text[19:20] == "." else 0
    return datetime.fromisoformat(date + ("+00:00" if zone in ("", "Z") else zone)).timestamp() + fraction


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", default=["rocksdb"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--causes", action="store_true")
    options = parser.parse_args()
    (HOME / "target").mkdir(exist_ok=True)
    subprocess.run([PROGRAM, "--version"], check=True, stdout=subprocess.DEVNULL)
    work = pathlib.Path(tempfile.mkdtemp(prefix="tails.", dir=HOME / "target"))
    try:
        if options.causes:
            for engine in options.engines:
                causes(work, engine, options.seconds)
        else:
            minutes(work, options.engines, options.rounds, options.seconds)
    finally:
        shutil.rmtree(work)


main()
