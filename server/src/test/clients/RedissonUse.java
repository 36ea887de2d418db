import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.redisson.Redisson;
import org.redisson.api.RAtomicLong;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RLock;
import org.redisson.api.RMap;
import org.redisson.api.RMapCache;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RSemaphore;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.IntegerCodec;
import org.redisson.config.Config;

/** Redisson: locks, maps, queues, semaphores and limiters of two clients. */
public final class RedissonUse {
  private static void check(boolean right, String what) {
    if (!right) {
      System.out.println(what);
      System.exit(1);
    }
  }

  private static RedissonClient client(String port) {
    Config config = new Config();
    config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setConnectionPoolSize(16).setConnectionMinimumIdleSize(2);
    return Redisson.create(config);
  }

  private static void run(int threads, java.util.function.IntConsumer task) throws Exception {
    List<Thread> all = new ArrayList<>();
    AtomicInteger failed = new AtomicInteger();
    for (int i = 0; i < threads; i++) {
      int number = i;
      all.add(Thread.ofPlatform().start(() -> {
        try {
          task.accept(number);
        } catch (RuntimeException | Error e) {
          e.printStackTrace();
          failed.incrementAndGet();
        }
      }));
    }
    for (Thread each : all) {
      each.join();
    }
    check(failed.get() == 0, "a thread failed");
  }

  public static void main(String[] args) throws Exception {
    RedissonClient[] clients = {client(args[0]), client(args[0])};
    RedissonClient one = clients[0];
    RedissonClient other = clients[1];

    int[] plain = new int[1];
    AtomicInteger inside = new AtomicInteger();
    run(6, i -> {
      RLock lock = clients[i % 2].getLock("lock");
      for (int j = 0; j < 40; j++) {
        lock.lock();
        check(inside.incrementAndGet() == 1, "two hold a lock");
        plain[0]++;
        inside.decrementAndGet();
        lock.unlock();
      }
    });
    check(plain[0] == 240, "lock: " + plain[0]);
    one.getLock("held").lock(1000, TimeUnit.MILLISECONDS);
    check(!other.getLock("held").tryLock(), "a held lock was taken");
    check(other.getLock("held").tryLock(10, TimeUnit.SECONDS), "a lock whose lease is over was not taken");
    other.getFairLock("fair").lock();
    check(!one.getFairLock("fair").tryLock(), "a held fair lock was taken");
    other.getFairLock("fair").unlock();

    RMap<String, Integer> map = one.getMap("map");
    check(map.put("a", 1) == null && map.put("a", 2) == 1 && map.putIfAbsent("a", 3) == 2, "put");
    check(map.replace("a", 2, 4) && !map.replace("a", 2, 5), "replace");
    check(one.<String, Integer>getMap("numbers", IntegerCodec.INSTANCE).addAndGet("a", 6) == 6, "addAndGet");
    map.putAll(java.util.Map.of("b", 2, "c", 3));
    check(other.getMap("map").readAllMap().size() == 3 && map.fastRemove("b", "none") == 1, "all");
    RMapCache<String, String> cache = one.getMapCache("cache");
    cache.put("short", "v", 1000, TimeUnit.MILLISECONDS);
    cache.put("long", "v", 60, TimeUnit.SECONDS);
    check("v".equals(cache.get("short")) && cache.size() == 2, "map with expiry");
    Thread.sleep(1100);
    check(cache.get("short") == null && "v".equals(cache.get("long")), "an entry did not expire");

    RBlockingQueue<Integer> queue = one.getBlockingQueue("queue");
    ConcurrentHashMap<Integer, Integer> taken = new ConcurrentHashMap<>();
    CountDownLatch all = new CountDownLatch(200);
    run(5, i -> {
      if (i == 0) {
        for (int j = 0; j < 200; j++) {
          queue.add(j);
        }
      } else {
        try {
          RBlockingQueue<Integer> source = clients[i % 2].getBlockingQueue("queue");
          for (Integer job = source.poll(2, TimeUnit.SECONDS); job != null; job = source.poll(2, TimeUnit.SECONDS)) {
            taken.merge(job, 1, Integer::sum);
            all.countDown();
          }
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    });
    check(all.getCount() == 0 && taken.size() == 200 && taken.values().stream().allMatch(n -> n == 1), "queue");

    RAtomicLong number = one.getAtomicLong("number");
    run(4, i -> {
      for (int j = 0; j < 50; j++) {
        RAtomicLong same = clients[i % 2].getAtomicLong("number");
        long before;
        do {
          before = same.get();
        } while (!same.compareAndSet(before, before + 1));
      }
    });
    check(number.get() == 200, "number");
    RSemaphore semaphore = one.getSemaphore("semaphore");
    check(semaphore.trySetPermits(3), "permits");
    AtomicInteger permits = new AtomicInteger();
    run(10, i -> permits.addAndGet(clients[i % 2].getSemaphore("semaphore").tryAcquire() ? 1 : 0));
    check(permits.get() == 3, "semaphore: " + permits);
    RRateLimiter limiter = one.getRateLimiter("limiter");
    limiter.trySetRate(RateType.OVERALL, 5, java.time.Duration.ofMinutes(1));
    AtomicInteger passed = new AtomicInteger();
    run(20, i -> passed.addAndGet(clients[i % 2].getRateLimiter("limiter").tryAcquire() ? 1 : 0));
    check(passed.get() == 5, "limiter: " + passed);
    RScoredSortedSet<String> set = one.getScoredSortedSet("set");
    set.add(2, "b");
    set.add(1, "a");
    check(set.pollFirst().equals("a") && set.rank("b") == 0, "sorted set");
    CountDownLatch heard = new CountDownLatch(1);
    other.getTopic("topic").addListener(String.class, (channel, message) -> heard.countDown());
    one.getTopic("topic").publish("hello");
    check(heard.await(10, TimeUnit.SECONDS), "topic");
    one.shutdown();
    other.shutdown();
    System.out.println("ok");
    System.exit(0);
  }
}
