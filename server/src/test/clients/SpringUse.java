import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Spring Data Redis and Spring Integration's RedisLockRegistry. */
public final class SpringUse {
  private static void check(boolean right, String what) {
    if (!right) {
      System.out.println(what);
      System.exit(1);
    }
  }

  public static void main(String[] args) throws Exception {
    LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", Integer.parseInt(args[0]));
    factory.afterPropertiesSet();
    factory.start();
    StringRedisTemplate template = new StringRedisTemplate(factory);
    template.opsForValue().set("a", "1", Duration.ofSeconds(100));
    check("1".equals(template.opsForValue().get("a")) && template.getExpire("a") > 90, "value");
    template.opsForHash().putAll("h", Map.of("x", "1", "y", "2"));
    check(template.opsForHash().entries("h").size() == 2, "hash");
    RedisScript<Long> script = RedisScript.of("return redis.call('INCRBY', KEYS[1], ARGV[1])", Long.class);
    check(template.execute(script, List.of("n"), "5") == 5 && template.execute(script, List.of("n"), "5") == 10, "script");
    template.setEnableTransactionSupport(false);
    RedisCacheManager caches =
        RedisCacheManager.builder(factory)
            .cacheDefaults(RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMillis(1000)))
            .build();
    caches.afterPropertiesSet();
    caches.getCache("c").put("k", "v");
    check("v".equals(caches.getCache("c").get("k", String.class)), "cache");
    Thread.sleep(1100);
    check(caches.getCache("c").get("k") == null, "an entry of a cache did not expire");

    for (int i = 0; i < 10; i++) {
      template.opsForStream().add("s", Map.of("i", Integer.toString(i)));
    }
    template.opsForStream().createGroup("s", ReadOffset.from("0"), "g");
    var read = template.opsForStream().read(Consumer.from("g", "me"), StreamOffset.create("s", ReadOffset.lastConsumed()));
    check(read.size() == 10 && template.opsForStream().pending("s", "g").getTotalPendingMessages() == 10, "stream");
    read.forEach(each -> template.opsForStream().acknowledge("g", each));
    check(template.opsForStream().pending("s", "g").getTotalPendingMessages() == 0, "acknowledged");

    CountDownLatch heard = new CountDownLatch(1);
    RedisMessageListenerContainer container = new RedisMessageListenerContainer();
    container.setConnectionFactory(factory);
    container.addMessageListener((message, pattern) -> heard.countDown(), new ChannelTopic("news"));
    container.afterPropertiesSet();
    container.start();
    template.convertAndSend("news", "hello");
    check(heard.await(10, TimeUnit.SECONDS), "topic");
    container.stop();

    int[] plain = new int[1];
    AtomicInteger inside = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (RedisLockRegistry.RedisLockType type : RedisLockRegistry.RedisLockType.values()) {
      RedisLockRegistry[] registries = {new RedisLockRegistry(factory, "locks"), new RedisLockRegistry(factory, "locks")};
      for (RedisLockRegistry each : registries) {
        each.setRedisLockType(type);
      }
      for (int i = 0; i < 4; i++) {
        RedisLockRegistry registry = registries[i % 2];
        threads.add(Thread.ofPlatform().start(() -> {
          for (int j = 0; j < 10; j++) {
            Lock lock = registry.obtain("key");
            lock.lock();
            check(inside.incrementAndGet() == 1, "two hold a lock");
            plain[0]++;
            inside.decrementAndGet();
            lock.unlock();
          }
        }));
      }
      for (Thread each : threads) {
        each.join();
      }
      threads.clear();
      registries[0].obtain("held").lock();
      check(!registries[1].obtain("held").tryLock(100, TimeUnit.MILLISECONDS), "a held lock was taken");
      registries[0].obtain("held").unlock();
      check(registries[1].obtain("held").tryLock(10, TimeUnit.SECONDS), "a free lock was not taken");
      registries[1].obtain("held").unlock();
      for (RedisLockRegistry each : registries) {
        each.destroy();
      }
    }
    check(plain[0] == 80, "lock: " + plain[0]);
    factory.destroy();
    System.out.println("ok");
    System.exit(0);
  }
}
