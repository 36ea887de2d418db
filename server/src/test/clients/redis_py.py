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
    try:
        r.eval("return 1", 0)
        raise AssertionError("scripts are not there")
    except redis.ResponseError as error:
        assert "not supported" in str(error)
    assert r.client_list()[0]["lib-name"] == "redis-py"
print("ok")
