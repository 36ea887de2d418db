"""django-redis: cache, counters, locks that exclude, and sessions that expire."""
import sys
import threading
import time

import django
from django.conf import settings

settings.configure(
    CACHES={
        "default": {
            "BACKEND": "django_redis.cache.RedisCache",
            "LOCATION": f"redis://127.0.0.1:{sys.argv[1]}/1",
            "OPTIONS": {"CLIENT_CLASS": "django_redis.client.DefaultClient"},
        }
    },
    SESSION_ENGINE="django.contrib.sessions.backends.cache",
    SECRET_KEY="test",
)
django.setup()
from django.contrib.sessions.backends.cache import SessionStore  # noqa: E402
from django.core.cache import cache  # noqa: E402

assert cache.add("a", {"x": [1, 2]}) and not cache.add("a", 1) and cache.get("a") == {"x": [1, 2]}
cache.set_many({"b": 1, "c": 2}, timeout=100)
assert cache.get_many(["b", "c", "none"]) == {"b": 1, "c": 2} and 90 < cache.ttl("b") <= 100
assert sorted(cache.keys("*")) == ["a", "b", "c"] and cache.delete_pattern("[bc]") == 2
cache.set("n", 0, timeout=None)


def increments():
    for _ in range(50):
        cache.incr("n")
        with cache.lock("lock", timeout=10):
            cache.set("m", cache.get("m", 0) + 1)


threads = [threading.Thread(target=increments) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert cache.get("n") == 200 and cache.get("m") == 200, (cache.get("n"), cache.get("m"))
session = SessionStore()
session["user"] = "ann"
session.set_expiry(1)
session.save()
assert SessionStore(session.session_key).load() == {"user": "ann", "_session_expiry": 1}
time.sleep(1.1)
assert not session.exists(session.session_key)
print("ok")
