#!/usr/bin/env python3
"""What clients that mean no good cost stadium serve in memory: see benchmarks/README.md.

Each abuse meets a fresh server with --memory 512m on RocksDB; shown are its resident memory at the most and after 30 idle seconds, and
whether another client is answered at the end. The bar: the budget and a fifth.

Usage: benchmarks/abuse.py [abuse …]     (default: all)
"""
import contextlib, pathlib, resource, shutil, socket, subprocess, sys, tempfile, threading, time
from serving import HOME, PROGRAM, Client, bar, memory, stadium

BUDGET_MB = 512
SECONDS = 15
MB = 1 << 20


def bulk(*words):
    words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)


def pour(port, data, count=10**9, reads=False):
    """Sends the same again and again, until the time is over or the server has enough of it."""
    end = time.monotonic() + SECONDS
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(1)
        for _ in range(count):
            if time.monotonic() > end:
                return
            try:
                connection.sendall(data)
            except TimeoutError:
                return  # it does not read on
            if reads:
                connection.recv(1 << 16)
        connection.settimeout(None)
        time.sleep(max(0, end - time.monotonic()))


def at_once(count, task):
    threads = [threading.Thread(target=task, args=(i,)) for i in range(count)]
    [t.start() for t in threads]
    [t.join() for t in threads]


def huge_values(port):
    data = bulk("SET", "huge", b"x" * (64 * MB))
    at_once(8, lambda i: pour(port, data, 5))


def unknown_commands(port):
    data = bulk("NOSUCHCOMMAND", "x" * 100) * 1000
    at_once(8, lambda i: pour(port, data))


def half_requests(port):
    data = b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$100000000\r\n" + b"x" * (2 * MB)
    at_once(300, lambda i: pour(port, data, 1))


def come_and_go(port, clients=10_000, together=500):
    for begin in range(0, clients, together):
        own = []
        for i in range(begin, begin + together):
            own.append(socket.create_connection(("127.0.0.1", port)))
            own[-1].sendall(bulk("SUBSCRIBE", *[f"channel:{i}:{n}" for n in range(10)]))
        for each in own:
            each.close()


def greedy_scripts(port):
    script = "local t = {} local s = 'x' while true do s = s .. s if #s > 1000000 then t[#t + 1] = s s = 'x' .. #t end end"
    at_once(4, lambda i: pour(port, bulk("EVAL", script, "0"), 5, reads=True))


def deaf_monitors(port):
    monitors = [threading.Thread(target=pour, args=(port, bulk("MONITOR"), 1)) for _ in range(10)]
    [t.start() for t in monitors]
    pour(port, bulk("SET", "k", b"x" * 1000) * 100, 2000, reads=True)
    [t.join() for t in monitors]


def deaf_subscribers(port):
    subscribers = [threading.Thread(target=pour, args=(port, bulk("SUBSCRIBE", "news"), 1)) for _ in range(10)]
    [t.start() for t in subscribers]
    time.sleep(0.5)
    pour(port, bulk("PUBLISH", "news", b"x" * 10_000), 10_000, reads=True)
    [t.join() for t in subscribers]


def far_bits(port):
    client = Client(port)
    for i in range(20):
        client.call("SETBIT", f"far{i}", "4294967295", "1")


def long_blocks(port):
    data = bulk("SET", "k", b"x" * MB)
    at_once(8, lambda i: pour(port, bulk("MULTI") + data * 200, 1))


def unread_replies(port):
    Client(port).call("SET", "large", b"x" * (10 * MB))
    at_once(8, lambda i: pour(port, bulk("GET", "large") * 100))


ABUSES = (
    huge_values, unknown_commands, half_requests, come_and_go, greedy_scripts, deaf_monitors, deaf_subscribers, far_bits, long_blocks,
    unread_replies)


def main():
    wanted = [a for a in ABUSES if not sys.argv[1:] or a.__name__ in sys.argv[1:]]
    if len(wanted) < len(sys.argv) - 1:
        sys.exit(f"abuse.py: use {', '.join(a.__name__ for a in ABUSES)}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    (HOME / "target").mkdir(exist_ok=True)
    subprocess.run([PROGRAM, "--version"], check=True, stdout=subprocess.DEVNULL)
    work = pathlib.Path(tempfile.mkdtemp(prefix="abuse.", dir=HOME / "target"))
    print(f"abuse: resident memory in MB with --memory {BUDGET_MB}m: at the start, at the most, after 30 idle seconds")
    try:
        for abuse in wanted:
            with stadium(f"rocksdb:{work}/{abuse.__name__}", "--memory", f"{BUDGET_MB}m") as ports:
                port = ports["redis"]
                before = memory(port)
                abuse(port)
                answered = Client(port).call("PING") == b"PONG"
                most = memory(port, "VmHWM")
                time.sleep(30)
                print(f"  {abuse.__name__:18} {before >> 20:5} {most >> 20:5} {memory(port) >> 20:5}"
                      f"  answers others: {answered}  bar: {bar(answered and most <= 1.2 * BUDGET_MB * MB)}", flush=True)
    finally:
        shutil.rmtree(work)


main()
