"""redis-py against the server at a port, in both protocol versions. Ends with an error where a reply is not as expected."""
import sys
import threading

import redis

port = int(sys.argv[1])
for protocol in (2, 3):
    r = redis.Redis(port=port, protocol=protocol, decode_responses=True, client_name="test")
    r.flushdb()
    assert r.set("a", 1, ex=100) and r.get("a") == "1" and 90 < r.ttl("a") <= 100
    assert r.incr("n", 5) == 5
    assert r.hset("h", mapping={"x": 1, "y": 2}) == 2
    assert r.hgetall("h") == {"x": "1", "y": "2"}
    r.rpush("l", 1, 2, 3)
    assert r.lrange("l", 0, -1) == ["1", "2", "3"]
    r.sadd("s", 1, 2)
    assert r.smembers("s") == {"1", "2"}
    r.zadd("z", {"a": 1, "b": 2.5})
    assert [tuple(pair) for pair in r.zrange("z", 0, -1, withscores=True)] == [("a", 1.0), ("b", 2.5)]
    with r.pipeline() as pipe:
        pipe.watch("a")
        value = int(pipe.get("a"))
        pipe.multi()
        pipe.set("a", value + 1)
        assert pipe.execute() == [True]
    with r.pipeline() as pipe:
        pipe.watch("a")
        r.set("a", "changed")
        pipe.multi()
        pipe.set("a", "lost")
        try:
            pipe.execute()
            raise AssertionError("a block went on although a watched key had changed")
        except redis.WatchError:
            pass
    assert sorted(r.scan_iter()) == ["a", "h", "l", "n", "s", "z"] and r.dbsize() == 6
    channel = r.pubsub()
    channel.subscribe("news")
    assert channel.get_message(timeout=5)["type"] == "subscribe"
    r.publish("news", "hello")
    assert channel.get_message(timeout=5)["data"] == "hello"
    channel.close()
    other = threading.Timer(0.1, lambda: redis.Redis(port=port).rpush("q", "job"))
    other.start()
    assert tuple(r.blpop("q", timeout=10)) == ("q", "job")
    other.join()
    lock = r.lock("lock", timeout=10)
    assert lock.acquire(blocking=False) and not r.lock("lock").acquire(blocking=False)
    lock.extend(10)
    lock.release()
    assert not r.exists("lock")
    limit = r.register_script(
        "local n = redis.call('INCR', KEYS[1]) if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end return n")
    assert [limit(keys=["limit"], args=[60000]) for _ in range(3)] == [1, 2, 3] and r.pttl("limit") > 0
    due = r.register_script(
        "local jobs = redis.call('zrangebyscore', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 1)"
        " if jobs[1] then redis.call('zrem', KEYS[1], jobs[1]) return jobs[1] end")
    r.zadd("schedule", {"now": 1, "later": 1e12})
    assert [due(keys=["schedule"], args=[1e9]) for _ in range(2)] == ["now", None]
    assert r.client_list()[0]["lib-name"] == "redis-py"
print("ok")
