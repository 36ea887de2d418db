"""RQ with a worker of its own: jobs, retries and scheduled jobs are each done once."""
import datetime
import os
import subprocess
import sys
import time

import redis


def count(name, i):
    port = int(os.environ["REDIS_PORT"])
    return redis.Redis(port=port).hincrby(name, i, 1)


def work(i):
    count("done", i)
    return i * i


def fails_once(i):
    if count("tries", i) == 1:
        raise ValueError("once")
    return work(i)


if __name__ == "__main__":
    import rq
    import rq_jobs as jobs

    port = sys.argv[1]
    r = redis.Redis(port=int(port))
    queue = rq.Queue(connection=r)
    now = [queue.enqueue(jobs.work, i) for i in range(10)]
    failing = [queue.enqueue(jobs.fails_once, i, retry=rq.Retry(max=2)) for i in range(100, 103)]
    begin = time.time()
    later = queue.enqueue_in(datetime.timedelta(seconds=2), jobs.work, 200)
    last = queue.enqueue(jobs.work, 300, depends_on=now)
    folder = os.path.dirname(os.path.abspath(__file__))
    command = [sys.executable, "-m", "rq.cli", "worker", "--with-scheduler", "--quiet", "--url", f"redis://127.0.0.1:{port}"]
    path = folder + os.pathsep + os.environ.get("PYTHONPATH", "")
    worker = subprocess.Popen(command, cwd=folder, env={**os.environ, "REDIS_PORT": port, "PYTHONPATH": path})
    try:
        while not all(job.get_status(refresh=True) == "finished" for job in [*now, *failing, later, last]):
            assert time.time() - begin < 50, [(j.args, j.get_status()) for j in [*now, *failing, later, last]]
            time.sleep(0.1)
        assert [job.latest_result().return_value for job in now] == [i * i for i in range(10)]
        later.refresh()
        assert later.ended_at.timestamp() - begin >= 1  # RQ counts whole seconds
    finally:
        worker.terminate()
        worker.wait(20)
    done = {int(i): int(n) for i, n in r.hgetall("done").items()}
    assert done == {i: 1 for i in [*range(10), *range(100, 103), 200, 300]}, done
    assert set(r.hgetall("tries").values()) == {b"2"}
    print("ok")
