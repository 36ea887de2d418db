"""redis-py's Lock: held by one at a time, given back by its owner only, and gone after its timeout."""
import sys
import threading
import time

import redis

r = redis.Redis(port=int(sys.argv[1]), decode_responses=True)
holders = []


def work():
    for _ in range(40):
        with r.lock("lock", timeout=30, blocking_timeout=30, sleep=0.001):
            holders.append(1)
            assert len(holders) == 1
            r.set("n", int(r.get("n") or 0) + 1)
            holders.pop()


threads = [threading.Thread(target=work) for _ in range(5)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert r.get("n") == "200" and not r.exists("lock"), r.get("n")
lost = r.lock("lost", timeout=0.2)
assert lost.acquire() and not r.lock("lost").acquire(blocking=False)
time.sleep(0.3)
other = r.lock("lost", timeout=10)
assert other.acquire(blocking=False) and other.reacquire() and other.extend(5)
for release in (lost.release, lambda: lost.extend(1)):
    try:
        release()
        raise SystemExit("what others hold was released or extended")
    except redis.exceptions.LockError:
        pass
assert other.owned()
print("ok")
