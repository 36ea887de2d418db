package io.kvstadium.engine.mvstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PinsTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 300;

  private final MVStore store = new MVStore.Builder().autoCommitDisabled().open(); // in memory
  private final MVMap<Integer, Integer> map = store.openMap("map");
  private final AtomicLong oldest = new AtomicLong(-1);
  private final Pins pins = new Pins(store);

  @BeforeEach
  void trackTheOldestVersion() {
    store.setOldestVersionTracker(oldest::set);
    commit();
  }

  @AfterEach
  void close() {
    store.closeImmediately();
  }

  private void commit() {
    map.put(0, 0);
    store.commit();
  }

  private void commitAndSweep() {
    commit();
    pins.sweep();
  }

  @Test
  void aPinHoldsItsVersionWhateverIsWrittenAndSweptMeanwhile() {
    long version = store.getCurrentVersion();
    Pins.Lane pin = pins.enter();

    for (int i = 0; i < 5; i++) {
      commitAndSweep();
    }
    pins.dropAll();

    assertThat(oldest).hasValue(version);

    pins.exit(pin);
    commitAndSweep();

    assertThat(oldest).hasValue(store.getCurrentVersion());
  }

  @Test
  void aPinThatNobodyUsesIsKeptUntilTheNextSweep() {
    long version = store.getCurrentVersion();
    pins.exit(pins.enter());
    commit();
    commit();

    assertThat(oldest).hasValue(version);

    pins.sweep();

    assertThat(oldest).hasValue(store.getCurrentVersion());
  }

  @Test
  void aPinOfThePresentVersionIsUsedAgain() {
    Pins.Lane first = pins.enter();
    pins.exit(first);
    pins.sweep();
    Pins.Lane second = pins.enter();
    pins.exit(second);

    assertThat(second).isSameAs(first);
    long before = store.getCurrentVersion();
    commit();
    Pins.Lane renewed = pins.enter();
    commit();

    assertThat(oldest.get()).isEqualTo(before + 1); // the renewed pin's, not the first one's
    pins.exit(renewed);
  }

  @Test
  void onesOwnThreadMayHaveManyAtOnce() {
    long version = store.getCurrentVersion();
    List<Pins.Lane> taken = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      taken.add(pins.enter());
    }
    assertThat(taken).doesNotHaveDuplicates();
    commitAndSweep();
    assertThat(oldest).hasValue(version);

    taken.forEach(pins::exit);
    commitAndSweep();

    assertThat(oldest).hasValue(store.getCurrentVersion());
  }

  @Test
  void pinsThatThreadsLeftBehindAreDropped() throws InterruptedException {
    for (int i = 0; i < 50; i++) {
      Thread.ofPlatform().start(() -> pins.exit(pins.enter())).join();
    }
    commit();

    pins.dropAll();
    commit();

    assertThat(oldest).hasValue(store.getCurrentVersion());
  }

  @Test
  void manyThreadsPinWhileOthersWriteAndSweep() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        readers.add(
            threads.submit(() -> {
              for (int round = 0; round < ROUNDS; round++) {
                Pins.Lane pin = pins.enter();
                long version = store.getCurrentVersion();
                Thread.onSpinWait();
                assertThat(oldest.get()).as("what is kept").isLessThanOrEqualTo(version);
                pins.exit(pin);
                if (round % 10 == 0) {
                  pins.dropAll();
                }
              }
            }));
      }
      while (!readers.stream().allMatch(Future::isDone)) {
        commitAndSweep();
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
    commitAndSweep();
    pins.dropAll();
    commit();

    assertThat(oldest).hasValue(store.getCurrentVersion());
  }
}
