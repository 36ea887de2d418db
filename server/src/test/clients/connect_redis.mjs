// express-session with connect-redis: sessions are kept, end by themselves, and can be destroyed.
import assert from "node:assert";
import { RedisStore } from "connect-redis";
import express from "express";
import session from "express-session";
import { createClient } from "redis";

const client = await createClient({ socket: { port: Number(process.argv[2]), host: "127.0.0.1" } }).connect();
const app = express();
const store = new RedisStore({ client });
app.use(session({ store, secret: "s", resave: false, saveUninitialized: false, rolling: true, cookie: { maxAge: 1500 } }));
app.get("/visit", (request, response) => {
  request.session.visits = (request.session.visits ?? 0) + 1;
  response.send(String(request.session.visits));
});
app.get("/leave", (request, response) => request.session.destroy(() => response.send("left")));
const server = app.listen(0, "127.0.0.1");
await new Promise((resolve) => server.on("listening", resolve));
const url = `http://127.0.0.1:${server.address().port}`;
let cookie = "";
const get = async (path) => {
  const response = await fetch(url + path, { headers: { cookie } });
  cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
  return response.text();
};
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
assert.equal(await get("/visit"), "1");
assert.equal(await get("/visit"), "2");
await wait(1000);
assert.equal(await get("/visit"), "3"); // a visit extends it
await wait(1000);
assert.equal(await get("/visit"), "4");
assert.equal((await store.all()).length, 1);
await wait(2100); // whole seconds, rounded up
assert.equal(await get("/visit"), "1");
await get("/leave");
assert.equal(await store.length(), 0);
server.close();
await client.close();
console.log("ok");
process.exit(0);
