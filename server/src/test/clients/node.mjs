// node-redis and ioredis against the server at a port.
import assert from "node:assert";
import { createClient } from "redis";
import Redis from "ioredis";

const port = Number(process.argv[2]);
const client = createClient({ socket: { port, host: "127.0.0.1" } });
client.on("error", (error) => { throw error; });
await client.connect();
await client.flushDb();
await client.set("k", "v", { EX: 100 });
assert.equal(await client.get("k"), "v");
await client.hSet("h", { a: "1" });
assert.deepEqual({ ...(await client.hGetAll("h")) }, { a: "1" });
await client.zAdd("z", { score: 1.5, value: "m" });
assert.deepEqual(await client.zRangeWithScores("z", 0, -1), [{ value: "m", score: 1.5 }]);
assert.deepEqual(await client.multi().set("a", "1").incr("a").exec(), ["OK", 2]);
const found = [];
for await (const keys of client.scanIterator()) found.push(...keys);
assert.deepEqual(found.sort(), ["a", "h", "k", "z"]);
const subscriber = client.duplicate();
await subscriber.connect();
const message = new Promise((resolve) => subscriber.subscribe("news", resolve).then(() => client.publish("news", "hello")));
assert.equal(await message, "hello");
await subscriber.close();
await client.close();

const ioredis = new Redis(port);
assert.equal(await ioredis.set("x", "1"), "OK");
assert.deepEqual(await ioredis.pipeline().get("x").incr("x").exec(), [[null, "1"], [null, 2]]);
assert.deepEqual(await ioredis.multi().get("x").exec(), [[null, "2"]]);
assert.equal((await ioredis.mget("x", "none")).length, 2);
ioredis.disconnect();
console.log("ok");
