"""Celery with a worker of its own: jobs, retries and delayed jobs are each done once."""
import os
import subprocess
import sys
import time

import redis
from celery import Celery

port = int(os.environ.get("REDIS_PORT") or sys.argv[1])
r = redis.Redis(port=port)
app = Celery("celery_jobs", broker=f"redis://127.0.0.1:{port}/0", backend=f"redis://127.0.0.1:{port}/1")
app.conf.broker_connection_retry_on_startup = True


@app.task(name="work")
def work(i):
    r.hincrby("done", i, 1)
    return i * i


@app.task(name="fails_once", bind=True, max_retries=3)
def fails_once(self, i):
    if r.hincrby("tries", i, 1) == 1:
        raise self.retry(countdown=0.2)
    r.hincrby("done", i, 1)
    return i


@app.task(name="total")
def total(parts):
    return sum(parts)


if __name__ == "__main__":
    command = [sys.executable, "-m", "celery", "-A", "celery_jobs", "worker", "-P", "threads", "-c", "4", "-l", "ERROR"]
    folder = os.path.dirname(os.path.abspath(__file__))
    worker = subprocess.Popen(command, cwd=folder, env={**os.environ, "REDIS_PORT": str(port)})
    try:
        jobs = [work.delay(i) for i in range(60)]
        retried = [fails_once.delay(i) for i in range(100, 110)]
        begin = time.time()
        later = work.apply_async([200], countdown=2)
        assert [job.get(timeout=30) for job in jobs] == [i * i for i in range(60)]
        assert [job.get(timeout=30) for job in retried] == list(range(100, 110))
        assert later.get(timeout=30) == 40_000 and time.time() - begin >= 2
        chord = __import__("celery").chord([work.s(i) for i in range(300, 310)], total.s())
        assert chord.apply_async().get(timeout=30) == sum(i * i for i in range(300, 310))
    finally:
        worker.terminate()
        worker.wait(20)
    done = {int(i): int(n) for i, n in r.hgetall("done").items()}
    expected = [*range(60), *range(100, 110), 200, *range(300, 310)]
    assert done == {i: 1 for i in expected}, done
    assert all(n == b"2" for n in r.hgetall("tries").values())
    assert r.llen("celery") == 0 and r.hlen("unacked") == 0
    print("ok")
