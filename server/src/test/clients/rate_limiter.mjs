// rate-limiter-flexible: no more pass than the limit, whoever asks, and again once the time is over.
import assert from "node:assert";
import Redis from "ioredis";
import { BurstyRateLimiter, RateLimiterRedis } from "rate-limiter-flexible";

const clients = [1, 2, 3, 4].map(() => new Redis(Number(process.argv[2])));
const passed = async (limiters, key, n) =>
  (await Promise.allSettled([...Array(n).keys()].map((i) => limiters[i % limiters.length].consume(key))))
    .filter((each) => each.status === "fulfilled").length;
const limit = (name, points, duration, more) =>
  clients.map((storeClient) => new RateLimiterRedis({ storeClient, keyPrefix: name, points, duration, ...more }));
assert.equal(await passed(limit("once", 5, 60), "ann", 100), 5);
assert.equal(await passed(limit("once", 5, 60), "bob", 3), 3);
const short = limit("short", 10, 1);
assert.equal(await passed(short, "ann", 40), 10);
await new Promise((resolve) => setTimeout(resolve, 1100));
assert.equal(await passed(short, "ann", 40), 10);
const blocking = limit("block", 2, 1, { blockDuration: 60 });
assert.equal(await passed(blocking, "ann", 5), 2);
assert.ok((await blocking[1].get("ann")).msBeforeNext > 50000);
const bursty = clients.map((storeClient, i) =>
  new BurstyRateLimiter(limit("slow", 2, 60)[i], new RateLimiterRedis({ storeClient, keyPrefix: "burst", points: 3, duration: 60 })));
assert.equal(await passed(bursty, "ann", 20), 5);
clients.forEach((client) => client.disconnect());
console.log("ok");
