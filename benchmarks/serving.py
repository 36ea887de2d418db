#!/usr/bin/env python3
"""The goals of stadium serve other than requests per second: see benchmarks/README.md.

Usage: benchmarks/serving.py [start] [power] [mget] [idle] [ping] [removals] [big] [returned] [scripts] [streams] [lru]   (default: all; uses what ./stadium has
built, or the checkout in the variable STADIUM). ENGINES=rocksdb,lmdb says which engines removals and big take.
Needs redis-server and redis-benchmark; mget also RocksServer's program, in the variable ROCKSSERVER.
"""
import contextlib, multiprocessing, os, pathlib, random, re, resource, shutil, socket, statistics, subprocess, sys, tempfile, threading, time

HOME = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("STADIUM", HOME)) / "stadium"
ROUNDS = 3


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextlib.contextmanager
def running(command, cwd, ready):
    """A process that runs until the end of the block; ready(line) returns the block's value, or None."""
    process = subprocess.Popen(
        [str(c) for c in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield next(found for line in process.stdout if (found := ready(line)) is not None)
    finally:
        process.terminate()
        process.communicate()


@contextlib.contextmanager
def stadium(url, *options):
    def ready(line):
        ports = dict(re.findall(r"(redis|http) on 127\.0\.0\.1:(\d+)", line))
        return {name: int(port) for name, port in ports.items()} or None

    command = [PROGRAM, "serve", url, "--port", "0", "--http-port", "0", *options]
    with running(command, HOME, ready) as ports:
        yield ports


@contextlib.contextmanager
def listening(command, cwd, port):
    process = subprocess.Popen([str(c) for c in command], cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def redis(work, *options):
    port = free_port()
    return listening(["redis-server", "--port", port, "--save", "", "--dir", work, *options], work, port)


class Client:
    """One connection; replies are read completely."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.file = self.socket.makefile("rb", buffering=1 << 20)

    def call(self, *words):
        self.send(*words)
        return self.reply()

    def send(self, *words):
        words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
        self.socket.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))

    def reply(self):
        line = self.file.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"$":
            return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        if kind in (b"-", b""):
            raise RuntimeError("the server said " + repr(line))
        return rest


def writes(port, clients, seconds=4):
    """SETs per second with this many connections, each of which waits for a reply before the next."""
    count = 200
    while True:
        out = subprocess.run(
            ["redis-benchmark", "-p", str(port), "-c", str(clients), "-r", "100000", "-q", "--csv", "-n", str(count),
             "SET", "key:__rand_int__", "__rand_int__" + "x" * 88],  # SQLite writes nothing if the value is unchanged
            check=True, capture_output=True, text=True).stdout
        rate = float(re.search(r'","([\d.]+)"', out.splitlines()[-1])[1])
        if count >= rate * seconds / 2:
            return rate
        count = int(rate * seconds) + 1


def start(work):
    print("start: milliseconds until the line that says ready")
    for engine in ("rocksdb", "lmdb", "sqlite"):
        times = []
        for _ in range(ROUNDS + 2):
            begun = time.monotonic()
            with stadium(f"{engine}:{work}/start-{engine}"):
                times.append((time.monotonic() - begun) * 1000)
        print(f"  {engine:8} {statistics.median(times):6.0f}  ({min(times):.0f} to {max(times):.0f})")


def power(work):
    compare_power(work, "disk unchanged")
    library = work / "slow_flush.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, HOME / "benchmarks" / "slow_flush.c", "-ldl"], check=True)
    os.environ |= {"LD_PRELOAD": str(library), "SLOW_FLUSH": "4000"}
    compare_power(work, "each flush 4 ms longer")
    del os.environ["LD_PRELOAD"]


def compare_power(work, disk):
    print(f"power: SETs per second, {disk}; alternating with redis-server with appendfsync always")
    print(f"  {'':8} {'one':>7} {'64':>7} {'64 to one':>10} {'to redis':>9}")
    for engine in ("rocksdb", "lmdb", "sqlite"):
        rates = []
        with stadium(f"{engine}:{work}/power-{engine}?durability=power") as ports, redis(
                work, "--appendonly", "yes", "--appendfsync", "always") as other:
            for _ in range(ROUNDS):
                rates.append((writes(ports["redis"], 1), writes(ports["redis"], 64), writes(other, 64)))
        one, many = (statistics.median(r[i] for r in rates) for i in (0, 1))
        ratio = statistics.median(r[1] / r[0] for r in rates)
        beside = statistics.median(r[1] / r[2] for r in rates)
        print(f"  {engine:8} {one:7.0f} {many:7.0f} {ratio:10.1f} {beside:9.2f}")


def mget(work):
    program = os.environ.get("ROCKSSERVER")
    if not program:
        print("mget: skipped, since the variable ROCKSSERVER does not name its program")
        return
    keys = [b"key:%08d" % i for i in range(1000)]
    value = b"v" * 100
    port = free_port()
    home = work / "rocksserver"
    (home / "db").mkdir(parents=True)
    (home / "config.ini").write_text(
        f"server_host = 127.0.0.1\nserver_port = {port}\ndb_path = {home}/db\nbackup_path = {home}/backup\n"
        f"error_log = {home}/error.log\n")

    class Http:
        def __init__(self, number):
            self.number = number
            self.socket = socket.create_connection(("127.0.0.1", number))
            self.file = self.socket.makefile("rb", buffering=1 << 20)

        def call_once(self, request):  # on a separate connection, as the PHP driver does
            with socket.create_connection(("127.0.0.1", self.number)) as own:
                own.sendall(request + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                return own.makefile("rb", buffering=1 << 20).read().split(b"\r\n\r\n", 1)[1]

        def call(self, request, body=b""):
            self.socket.sendall(request + b" HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            length = 0
            while (line := self.file.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            return self.file.read(length)

    def rate(call):
        def timed(seconds):
            begun, count = time.monotonic(), 0
            while time.monotonic() - begun < seconds:
                call()
                count += 1
            return count / (time.monotonic() - begun)
        timed(2)
        return timed(3)

    wanted = b"".join(k + b"\n%d\n" % len(value) + value + b"\n" for k in keys)
    with listening([program, home / "config.ini"], home, port), stadium(f"rocksdb:{work}/mget", "--rocksserver") as ports:
        original, ours, resp = Http(port), Http(ports["http"]), Client(ports["redis"])
        load = b"".join(k + b"\n%d\n" % len(value) + value + b"\n" for k in keys)
        for server in (original, ours):
            assert server.call(b"POST /mset", load) == b"OK\n"
            assert server.call(b"GET /mget?" + b"&".join(keys)) == wanted
        resp.call("MSET", *[w for k in keys for w in (k, value)])
        request = b"*1001\r\n$4\r\nMGET\r\n" + b"".join(b"$%d\r\n%s\r\n" % (len(k), k) for k in keys)
        size = len(b"*1000\r\n") + 1000 * len(b"$100\r\n" + value + b"\r\n")

        def over_redis():
            resp.socket.sendall(request)
            assert len(resp.file.read(size)) == size
        path = b"GET /mget?" + b"&".join(keys)
        assert ours.call_once(path) == original.call_once(path) == wanted
        calls = {
            "RocksServer": lambda: original.call(path),
            "ours by its protocol": lambda: ours.call(path),
            "ours by RESP": over_redis,
            "RocksServer, each on a new connection": lambda: original.call_once(path),
            "ours, each on a new connection": lambda: ours.call_once(path),
        }
        rates = {name: [] for name in calls}
        for _ in range(ROUNDS):
            for name, call in calls.items():
                rates[name].append(rate(call))
    print("mget: requests for 1,000 warm keys per second, one client")
    for name, each in rates.items():
        print(f"  {name:38} {statistics.median(each):5.0f}")


def pid(port):
    return int(re.search(rb"process_id:(\d+)", Client(port).call("INFO"))[1])


def memory(port, field="VmRSS"):
    fields = dict(re.findall(r"^(\w+):\s+(\d+)", pathlib.Path(f"/proc/{pid(port)}/status").read_text(), re.M))
    return int(fields[field]) * 1024


def idle(work):
    count = 10_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with stadium(f"rocksdb:{work}/idle", "--config", config(work, "[limits]\nconnections = 10100\n")) as ports:
        before = memory(ports["redis"])
        clients = [socket.create_connection(("127.0.0.1", ports["redis"])) for _ in range(count)]
        for client in clients:
            client.sendall(b"PING\r\n")
        for client in clients:
            assert client.recv(7) == b"+PONG\r\n"
        after = memory(ports["redis"])
        for client in clients:
            client.close()
    print(f"idle: {count:,} connections that pinged once: {(after - before) / count / 1000:.1f} kB each of resident memory")


def config(work, text):
    path = work / "config.toml"
    path.write_text(text)
    return path


def ping(work):
    entries = 300_000
    with stadium(f"rocksdb:{work}/ping") as ports:
        port = ports["redis"]
        load = Client(port)
        for begin in range(0, entries, 1000):
            load.call("MSET", *[w for i in range(begin, begin + 1000) for w in (f"key:{i}", "v" * 1000)])
        for begin in range(0, 1_000_000, 10_000):
            load.call("HSET", "large", *[w for i in range(begin, begin + 10_000) for w in (f"f{i}", "v")])
        end = threading.Event()

        def forever(*calls):
            client = Client(port)
            while not end.is_set():
                for each in calls:
                    client.call(*each())

        random.seed(1)
        many = lambda: ("MGET", *[f"key:{random.randrange(entries)}" for _ in range(10_000)])
        fill = [lambda b=b: ("HSET", "doomed", *[w for i in range(b, b + 10_000) for w in (f"f{i}", "v")])
                for b in range(0, 100_000, 10_000)]
        work_of = {
            "nothing": [],
            "MGET of 10,000": [[many]],
            "KEYS of all": [[lambda: ("KEYS", "*")]],
            "HGETALL of a million": [[lambda: ("HGETALL", "large")]],
            "HSETs, DEL of them": [[*fill, lambda: ("DEL", "doomed")]],
        }
        print("ping: milliseconds of PING while one client does")
        print(f"  {'':22} {'p50':>7} {'p99':>7} {'most':>7}")
        for name, calls in work_of.items():
            end.clear()
            threads = [threading.Thread(target=forever, args=each) for each in calls]
            [t.start() for t in threads]
            pings = subprocess.run(
                ["redis-benchmark", "-p", str(port), "-c", "1", "-n", "20000", "-t", "ping_mbulk", "--csv"],
                check=True, capture_output=True, text=True).stdout
            end.set()
            [t.join() for t in threads]
            cells = pings.splitlines()[-1].replace('"', "").split(",")
            print(f"  {name:22} {cells[4]:>7} {cells[6]:>7} {cells[7]:>7}")


def rate(port, count, clients, *command):
    """Requests per second of one command."""
    out = subprocess.run(
        ["redis-benchmark", "-p", str(port), "-c", str(clients), "-n", str(count), "-q", "--csv", *command],
        check=True, capture_output=True, text=True).stdout
    return float(re.search(r'","([\d.]+)"', out.splitlines()[-1])[1])


def load(port, count, command):
    """Many requests in one pipeline: command(i) returns the words of each."""
    lines = "".join(" ".join(map(str, command(i))) + "\r\n" for i in range(count))
    subprocess.run(["redis-cli", "-p", str(port), "--pipe"], input=lines, check=True, capture_output=True, text=True)


def processor(port):
    """Seconds of processor time that a server has taken."""
    fields = pathlib.Path(f"/proc/{pid(port)}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def engines(default):
    return os.environ.get("ENGINES", default).split(",")


def bar(holds):
    return "holds" if holds else "MISSED"


def removals(work):
    with redis(work) as other:
        for engine in engines("rocksdb,lmdb"):
            with stadium(f"{engine}:{work}/removals-{engine}") as ports:
                print(f"removals: {engine}")
                removed_hash(ports["redis"])
                popped(ports["redis"], other)
                expired(ports["redis"])


def quarters(client, seconds):
    """SETs per second in each quarter of a second."""
    end = time.monotonic() + seconds
    rates = []
    while time.monotonic() < end:
        begun, count = time.monotonic(), 0
        while time.monotonic() - begun < 0.25:
            client.call("SET", "a", "b")
            count += 1
        rates.append(count / (time.monotonic() - begun))
    return rates


def removed_hash(port, fields=500_000, seconds=3, rounds=4):
    """The least rate after a DEL, as a part of the one right before; the same for a DEL of nothing is the noise. Of each
    quarter of a second the best round counts, since other programs only ever slow it down; one more round warms up."""
    client = Client(port)
    quarters(client, seconds)
    found = {}
    for name in ("nothing", "hash"):
        before, after = [], []
        for _ in range(rounds + (name == "nothing")):
            load(port, fields, lambda i: ("HSET", "hash", f"f{i}", "v" * 20))
            time.sleep(2)
            before.append(quarters(client, seconds))
            client.call("DEL", name)
            after.append(quarters(client, seconds))
            client.call("DEL", "hash")
            time.sleep(seconds)
        before, after = ([max(each) for each in zip(*of[-rounds:])] for of in (before, after))
        usual = statistics.median(before)
        found[name] = min(after) / usual
        print(f"  SET/s before DEL {name:7} {usual:6.0f}, after it least {min(after):6.0f} in a quarter of a second:"
              f" {found[name]:.2f}, median {statistics.median(after) / usual:.2f}")
    print(f"  bar: never below half of before: {bar(found['hash'] >= 0.5)}"
          f" ({found['hash']:.2f}; noise without a deletion {found['nothing']:.2f})")


def popped(port, other, members=60_000, parts=10, rounds=9):
    """Whole queues, the first of which warms both servers up. Of each part the best round counts, since a part takes a
    quarter of a second, and other programs only ever slow it down; redis-server takes turns with each."""
    step = members // parts
    own, ratios = [[] for _ in range(parts)], []
    for measured in range(rounds + 1):
        for each in (port, other):
            load(each, members, lambda i: ("ZADD", f"q{measured}", i, f"j{i}"))
        for part in range(parts):
            rates = [rate(each, step, 50, "ZPOPMIN", f"q{measured}") for each in (port, other)]
            if measured:
                own[part].append(rates[0])
                ratios.append(rates[0] / rates[1])
    best = [max(each) for each in own]
    middle, ratio = statistics.median(best), statistics.median(ratios)
    print(f"  ZPOPMIN/s by tenths of {members:,}: {' '.join(f'{r:.0f}' for r in best)}")
    print(f"  bar: each within 20 % of the median: {bar(all(abs(r / middle - 1) <= 0.2 for r in best))}"
          f" ({min(best) / middle:.2f} to {max(best) / middle:.2f})")
    print(f"  bar: 0.2 of redis-server: {bar(ratio >= 0.2)} ({ratio:.2f})")


def expired(port, keys=300_000):
    client = Client(port)
    client.call("FLUSHALL")
    client.call("SET", "s:15", "stays")
    load(port, keys, lambda i: ("SET", f"s:{i}:", "v", "PX", random.randrange(500, 3500)))
    while client.call("DBSIZE") != b"1":
        time.sleep(0.1)
    time.sleep(3)
    cells = []
    for command in (("DBSIZE",), ("RANDOMKEY",), ("SCAN", "0")):
        times = []
        for _ in range(5):
            begun = time.monotonic()
            client.call(*command)
            times.append((time.monotonic() - begun) * 1000)
        cells.append(f"{command[0]} {times[0]:.1f} then {statistics.median(times):.1f} ms")
    time.sleep(2)
    before = processor(port)
    time.sleep(10)
    share = (processor(port) - before) * 10
    print(f"  after {keys:,} expiries: {', '.join(cells)}")
    print(f"  bar: idle under 2 % of a core: {bar(share < 2)} ({share:.1f} %)")


def ping_until(port, end, waits):
    client = Client(port)
    found = []
    while not end.is_set():
        begun = time.monotonic()
        client.call("PING")
        found.append((time.monotonic() - begun) * 1000)
        time.sleep(0.001)
    waits.put(found)


def big(work, size=100_000_000):
    """What one string of 100 MB costs, and what it costs others."""
    print(f"big: a string of {size // 1_000_000} MB, median of {ROUNDS}; PINGs of another client meanwhile")
    print(f"  {'':8} {'':9} {'ms':>7} {'cpu ms':>7} {'peak MB':>8} {'PING p99':>9} {'most ms':>8}")
    value = random.Random(1).randbytes(size)
    with contextlib.ExitStack() as servers:
        ports = {"redis": servers.enter_context(redis(work, "--proto-max-bulk-len", "536870912"))}
        for engine in engines("memory,rocksdb,lmdb"):
            ports[engine] = servers.enter_context(stadium(f"{engine}:{work}/big-{engine}"))["redis"]
        for name, port in ports.items():
            client = Client(port)
            client.call("SET", "big", value)
            for command in (("SET", "big", value), ("GET", "big"), ("STRLEN", "big"), ("GETRANGE", "big", "0", "9")):
                rows = [costs(port, client, command) for _ in range(ROUNDS)]
                cells = [statistics.median(row[i] for row in rows) for i in range(5)]
                print(f"  {name:8} {command[0]:9} {cells[0]:7.1f} {cells[1]:7.0f} {cells[2]:8.0f} {cells[3]:9.1f} {cells[4]:8.1f}")
                if command[0] == "SET" and name != "redis":
                    print(f"  bar: 600 ms of processor, 1,200 MB: {bar(cells[1] <= 600 and cells[2] <= 1200)}")
            client.call("DEL", "big")
            many_big(name, port, value)


def returned(work, subscribers=10, messages=10_000, size=10_000, idle_seconds=30):
    print(f"returned: RSS in MB after {subscribers} subscribers did not read {messages:,} messages of {size // 1000} kB,"
          f" after a string of 512 MB was removed, each then {idle_seconds} idle seconds later")
    for engine in engines("rocksdb,memory"):
        with stadium(f"{engine}:" if engine == "memory" else f"{engine}:{work}/returned-{engine}") as ports:
            port = ports["redis"]
            client = Client(port)
            before = memory(port)
            slow = [Client(port) for _ in range(subscribers)]
            for each in slow:
                each.call("SUBSCRIBE", "news")
            left = 0
            for _ in range(messages):
                left = client.call("PUBLISH", "news", b"x" * size)
            unread, peak = memory(port), memory(port, "VmHWM")
            for each in slow:
                each.file.close()
                each.socket.close()
            time.sleep(idle_seconds)
            rested = memory(port)
            client.call("SET", "large", b"x" * (512 << 20))
            client.call("DEL", "large")
            large = memory(port)
            time.sleep(idle_seconds)
            print(f"  {engine:8}: at the start {before >> 20}, unread {unread >> 20}"
                  f" ({int(left)} of {subscribers} still subscribed, peak {peak >> 20}),"
                  f" later {rested >> 20}; string removed {large >> 20}, later {memory(port) >> 20}")


def costs(port, client, command):
    end, waits = multiprocessing.Event(), multiprocessing.Queue()
    pings = multiprocessing.Process(target=ping_until, args=(port, end, waits))
    pathlib.Path(f"/proc/{pid(port)}/clear_refs").write_text("5")  # the peak begins anew
    pings.start()
    time.sleep(0.3)
    before, begun = processor(port), time.monotonic()
    client.call(*command)
    took = (time.monotonic() - begun) * 1000
    spent = (processor(port) - before) * 1000
    end.set()
    found = sorted(waits.get())
    pings.join()
    return took, spent, memory(port, "VmHWM") / 1e6, found[len(found) * 99 // 100], found[-1]


def many_big(name, port, value, clients=16):
    """More at once than the server has memory for: each must be answered."""
    answers = []

    def send(i):
        try:
            client = Client(port)
            client.call("SET", f"big{i}", value)
            answers.append("OK")
        except RuntimeError as e:
            answers.append("error" if "-" in str(e) else "reset")
        except OSError:
            answers.append("reset")

    threads = [threading.Thread(target=send, args=(i,)) for i in range(clients)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    counts = {each: answers.count(each) for each in ("OK", "error", "reset")}
    print(f"  {name:8} {clients} SETs of that at once: {counts}; alive: {Client(port).call('PING') == b'PONG'}")


SCRIPT = """local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
redis.call('SET', KEYS[2], ARGV[2])
return redis.call('GET', KEYS[2])"""


def scripts(work):
    print("scripts: scripts of three commands per second, 50 connections; alternating with redis-server")
    with redis(work) as other:
        for engine in engines("memory,rocksdb,lmdb"):
            with stadium(f"{engine}:" if engine == "memory" else f"{engine}:{work}/scripts-{engine}") as ports:
                sha = [Client(port).call("SCRIPT", "LOAD", SCRIPT).decode() for port in (ports["redis"], other)][0]
                command = ("EVALSHA", sha, "2", "count:__rand_int__", "value:__rand_int__", "60000", "x" * 100)
                for pipeline, count in (("1", 60_000), ("16", 200_000)):
                    rates = []
                    for _ in range(ROUNDS + 2):
                        rates.append([rate(port, count, 50, *("-P", pipeline, "-r", "100000"), *command)
                                      for port in (ports["redis"], other)])
                    ratios = sorted(ours / theirs for ours, theirs in rates)
                    ours = statistics.median(r[0] for r in rates)
                    print(f"  {engine:8} -P {pipeline:2}: {ours:8.0f}, {statistics.median(ratios):.2f} of redis-server"
                          f" ({ratios[0]:.2f} to {ratios[-1]:.2f})")


def streams(work, count=50_000):
    print("streams: requests per second, 50 connections; alternating with redis-server")
    calls = {"XADD": ("XADD", "s", "*", "field", "x" * 100),
             "XREADGROUP": ("XREADGROUP", "GROUP", "g", "c", "COUNT", "1", "STREAMS", "s", ">")}
    with redis(work) as other:
        for engine in engines("memory,rocksdb,lmdb"):
            with stadium(f"{engine}:" if engine == "memory" else f"{engine}:{work}/streams-{engine}") as ports:
                for pipeline in ("1", "16"):
                    rates = {name: [] for name in calls}
                    for _ in range(ROUNDS + 2):
                        for port in (ports["redis"], other):
                            Client(port).call("DEL", "s")
                            Client(port).call("XGROUP", "CREATE", "s", "g", "$", "MKSTREAM")
                        for name, words in calls.items():
                            rates[name].append(
                                [rate(port, count, 50, "-P", pipeline, *words) for port in (ports["redis"], other)])
                    for name, found in rates.items():
                        ratios = sorted(ours / theirs for ours, theirs in found)
                        print(f"  {engine:8} -P {pipeline:2} {name:10}: {statistics.median(r[0] for r in found):8.0f},"
                              f" {statistics.median(ratios):.2f} of redis-server ({ratios[0]:.2f} to {ratios[-1]:.2f})")


def hits(port, names, order, together=50):
    """The share of reads that find their key, in the second half; what is not found is written."""
    client, found = Client(port), 0
    for begin in range(0, len(order), together):
        some = [names[i] for i in order[begin:begin + together]]
        for name in some:
            client.send("GET", name)
        missed = {name for name, value in zip(some, [client.reply() for _ in some]) if value is None}
        found += (len(some) - len(missed)) * (begin >= len(order) / 2)
        for name in missed:
            client.send("SET", name, "x" * 200)
        for _ in missed:
            client.reply()
    return found / (len(order) / 2), int(client.call("DBSIZE"))


def lru(work, keys=100_000, reads=400_000):
    print("lru: hits of Zipf reads (exponent 0.9) over a cache that holds as many keys as redis-server's in 10 MB")
    rng = random.Random(1)
    names = ["user:%08d" % rng.randrange(10**8) for _ in range(keys)]
    weights = [1 / (rank + 1) ** 0.9 for rank in range(keys)]
    order = rng.choices(range(keys), weights, k=reads)
    with redis(work, "--maxmemory", "10mb", "--maxmemory-policy", "allkeys-lru") as other:
        expected, size = hits(other, names, order)
    print(f"  redis-server: {expected:.3f}, {size} keys")
    for engine in engines("memory,rocksdb,lmdb"):
        url = f"{engine}:" if engine == "memory" else f"{engine}:{work}/lru-{engine}"
        bytes_each = 1 + len(names[0]) + 1 + 200
        with stadium(url, "--max-size", size * bytes_each, "--eviction", "allkeys-lru") as ports:
            ratio, held = hits(ports["redis"], names, order)
            print(f"  {engine:8}: {ratio:.3f}, {held} keys, {ratio / expected:.3f} of redis-server")


def main():
    parts = sys.argv[1:] or ["start", "power", "mget", "idle", "ping", "removals", "big", "returned", "scripts", "streams", "lru"]
    known = {f.__name__: f for f in (start, power, mget, idle, ping, removals, big, returned, scripts, streams, lru)}
    if unknown := [p for p in parts if p not in known]:
        sys.exit(f"serving.py: {unknown[0]}: use {', '.join(known)}")
    (HOME / "target").mkdir(exist_ok=True)
    subprocess.run([PROGRAM, "--version"], check=True, stdout=subprocess.DEVNULL)
    work = pathlib.Path(tempfile.mkdtemp(prefix="serving.", dir=HOME / "target"))
    try:
        for part in parts:
            known[part](work)
            sys.stdout.flush()
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
