// BullMQ: jobs, retries, delayed jobs, flows and a limited worker; each job is done once.
import assert from "node:assert";
import { FlowProducer, Queue, QueueEvents, Worker } from "bullmq";

const connection = { port: Number(process.argv[2]), host: "127.0.0.1", maxRetriesPerRequest: null };
const done = new Map();
const tries = new Map();
const queue = new Queue("jobs", { connection });
const events = new QueueEvents("jobs", { connection });
await events.waitUntilReady();
const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1).get(key);
const workers = [1, 2].map(() => new Worker("jobs", async (job) => {
  if (job.name === "fails" && count(tries, job.data.i) === 1) throw new Error("once");
  count(done, job.data.i);
  return job.data.i * 2;
}, { connection, concurrency: 5 }));
const begin = Date.now();
const now = await queue.addBulk([...Array(100).keys()].map((i) => ({ name: "work", data: { i } })));
const failing = await queue.addBulk([...Array(10).keys()].map((i) =>
  ({ name: "fails", data: { i: 1000 + i }, opts: { attempts: 3, backoff: 100 } })));
const later = await queue.add("work", { i: 2000 }, { delay: 1000 });
const same = [await queue.add("work", { i: 3000 }, { jobId: "one", delay: 300 }),
  await queue.add("work", { i: 3000 }, { jobId: "one", delay: 300 })];
const results = await Promise.all(now.map((job) => job.waitUntilFinished(events, 30000)));
assert.deepEqual(results, [...Array(100).keys()].map((i) => i * 2));
await Promise.all(failing.map((job) => job.waitUntilFinished(events, 30000)));
await later.waitUntilFinished(events, 30000);
assert.ok(Date.now() - begin >= 1000);
await same[0].waitUntilFinished(events, 30000);
const flow = await new FlowProducer({ connection }).add({
  name: "parent", queueName: "jobs", data: { i: 5000 },
  children: [1, 2, 3].map((i) => ({ name: "work", queueName: "jobs", data: { i: 4000 + i } })),
});
assert.equal(await flow.job.waitUntilFinished(events, 30000), 10000);
const expected = [...Array(100).keys(), ...[...Array(10).keys()].map((i) => 1000 + i), 2000, 3000, 4001, 4002, 4003, 5000];
assert.deepEqual([...done.keys()].sort((a, b) => a - b), expected);
assert.ok([...done.values()].every((n) => n === 1));
assert.ok([...tries.values()].every((n) => n === 2));
const counts = await queue.getJobCounts();
assert.deepEqual([counts.completed, counts.failed, counts.waiting, counts.active, counts.delayed], [116, 0, 0, 0, 0]);
await Promise.all(workers.map((worker) => worker.close()));
console.log("ok");
process.exit(0);
