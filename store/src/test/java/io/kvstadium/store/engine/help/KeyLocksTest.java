package io.kvstadium.store.engine.help;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeyLocksTest {
  private record Name(String name) implements EngineTable {}

  private static final EngineTable TABLE = new Name("t");

  private static long of(int key) {
    return KeyLocks.of(TABLE, Integer.toString(key).getBytes(UTF_8));
  }

  @Test
  void aKeyHasOneLockAndManyKeysHaveAll() {
    long all = 0;
    for (int i = 0; i < 2_000; i++) {
      assertThat(Long.bitCount(of(i))).isOne();
      assertThat(of(i)).isEqualTo(of(i));
      all |= of(i);
    }

    assertThat(all).isEqualTo(KeyLocks.ALL);
  }

  @Test
  void aBatchHasTheLocksOfItsKeys() {
    List<Write<EngineTable>> batch =
        List.of(
            new Write<>(TABLE, "1".getBytes(UTF_8), null),
            new Write<>(TABLE, "2".getBytes(UTF_8), new byte[1]));

    assertThat(KeyLocks.of(batch)).isEqualTo(of(1) | of(2));
  }

  @Test
  void whoIsAloneIsAlone() throws InterruptedException {
    KeyLocks locks = new KeyLocks();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger met = new AtomicInteger();
    Runnable alone =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            locks.lockAlone(of(1) | of(2));
            met.addAndGet(inside.incrementAndGet() - 1);
            locks.lockShared(of(1)); // its own plain write
            locks.unlockShared(of(1));
            inside.decrementAndGet();
            locks.unlockAlone(of(1) | of(2));
          }
        };
    Runnable shared =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            locks.lockShared(KeyLocks.ALL);
            met.addAndGet(inside.get());
            locks.unlockShared(KeyLocks.ALL);
          }
        };

    List<Thread> threads =
        List.of(
            Thread.ofPlatform().start(alone),
            Thread.ofPlatform().start(alone),
            Thread.ofPlatform().start(shared));
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(met.get()).isZero();
  }
}
