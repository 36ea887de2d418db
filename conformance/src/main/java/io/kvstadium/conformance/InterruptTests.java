package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.value;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * An interrupt, before a call or during it, changes nothing: not what the call does, nor what
 * others do, nor that the thread is interrupted when the call has returned.
 */
interface InterruptTests extends Staged {
  int ENTRIES = 300;
  int MEMBERS = 3;
  int CALLS = 150;

  /** See {@link EngineConformance#standsInterruptsDuringCalls}. */
  boolean standsInterruptsDuringCalls();

  /** A key has one of a few values at any time. */
  private static byte[] content(int key, int version) {
    byte[] content = value(700, key);
    content[0] = (byte) version;
    return content;
  }

  private static void check(int key, byte @Nullable [] value) {
    assertThat(value).as("value of %d", key).isEqualTo(content(key, value == null ? 0 : value[0]));
  }

  private static void fill(Store store, int version) {
    List<Entry<byte[], byte[]>> entries =
        IntStream.range(0, ENTRIES)
            .mapToObj(i -> new Entry<>(key(i), content(i, version)))
            .toList();
    again(() -> store.table().bulkLoad(entries.iterator(), true));
  }

  private static void checkAll(Store store) {
    for (int i = 0; i < ENTRIES; i++) {
      check(i, store.table().get(key(i)));
    }
  }

  /** Whatever the store can do; rare calls come last. */
  private static List<Runnable> calls(Store store, int member) {
    Table<byte[], byte[]> table = store.table();
    Random random = new Random(member);
    List<Runnable> calls = new ArrayList<>();
    for (int n = 0; n < 3; n++) {
      calls.add(() -> {
        int i = random.nextInt(ENTRIES);
        check(i, table.get(key(i)));
      });
    }
    calls.add(() -> {
      Long bytes = table.get(key(7), value -> value.byteSize());
      assertThat(bytes).isEqualTo(700);
    });
    calls.add(() ->
        assertThat(table.multiGet(List.of(key(random.nextInt(ENTRIES))))).doesNotContainNull());
    for (Capability capability : store.capabilities()) {
      switch (capability) {
        case WRITE -> {
          calls.add(() -> {
            int i = random.nextInt(ENTRIES);
            again(() -> table.put(key(i), content(i, member)));
          });
          calls.add(() -> again(() -> table.delete(key(ENTRIES + random.nextInt(9)))));
        }
        case BATCH ->
            calls.add(() -> {
              int i = random.nextInt(ENTRIES);
              int j = random.nextInt(ENTRIES);
              again(() ->
                  store.write(batch -> {
                    batch.put(table, key(i), content(i, member));
                    batch.put(table, key(j), content(j, member));
                  }));
            });
        case TRANSACTION -> {
          calls.add(() -> {
            int i = random.nextInt(ENTRIES);
            again(() ->
                store.transact(tx -> {
                  check(i, tx.on(table).get(key(i)));
                  tx.on(table).put(key(i), content(i, member));
                  return 0;
                }));
          });
          calls.add(() -> {
            int i = random.nextInt(ENTRIES);
            again(() ->
                store.transact(tx -> {
                  tx.on(table).put(key(i), bytes("never committed"));
                  tx.rollback();
                  return 0;
                }));
          });
        }
        case SCAN ->
            calls.add(() -> {
              try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
                for (int i = 0; i < 20 && cursor.next(); i++) {
                  check(
                      Integer.parseInt(new String(cursor.key(), US_ASCII).substring(1)),
                      cursor.value());
                }
              }
            });
        case SNAPSHOT ->
            calls.add(() -> {
              int i = random.nextInt(ENTRIES);
              try (Snapshot snapshot = store.snapshot()) {
                check(i, snapshot.on(table).get(key(i)));
              }
            });
        default -> {}
      }
    }
    calls.add(() -> Stage.sync(store));
    calls.add(() -> fill(store, member));
    if (store.capabilities().contains(Capability.TABLES)) {
      calls.add(() -> {
        again(() -> store.table("of" + member));
        again(() -> store.dropTable("of" + member));
      });
    }
    if (store.capabilities().contains(Capability.COMPACT)) {
      calls.add(() -> again(table::compact));
    }
    return calls;
  }

  /** Conflicts with other writers come with and without interrupts. */
  private static void again(Runnable call) {
    for (int attempt = 1; ; attempt++) {
      try {
        call.run();
        return;
      } catch (ConflictException e) {
        if (attempt == 100) {
          throw e;
        }
      }
    }
  }

  private static void interrupted(Runnable call) {
    Thread.currentThread().interrupt();
    try {
      call.run();
    } finally {
      assertThat(Thread.interrupted()).as("still interrupted after the call").isTrue();
    }
  }

  @Test
  default void anInterruptedThreadCallsLikeAnyOther() {
    Store first = stage().openAny();
    fill(first, 0);
    if (first.capabilities().contains(Capability.PERSISTENT)) {
      interrupted(first::close);
      interrupted(stage()::openAny);
    }
    Store store = stage().last();

    calls(store, 1).forEach(InterruptTests::interrupted);

    TestThreads.doElsewhere(() -> {
      checkAll(store);
      calls(store, 2).forEach(Runnable::run);
    });
  }

  @Test
  default void aWriterWhoIsInterruptedAllTheTimeWrites() {
    assumeTrue(standsInterruptsDuringCalls(), "the engine's notes exclude it");
    Store store = stage().openAny();
    Stage.need(store, Capability.WRITE);
    AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    FutureTask<Void> writer =
        TestThreads.start(
                1,
                _ -> {
                  thread.set(Thread.currentThread());
                  for (int i = 0; i < ENTRIES; i++) {
                    int key = i;
                    again(() -> store.table().put(key(key), content(key, 1)));
                    Thread.interrupted(); // or the next call begins with it
                  }
                })
            .getFirst();
    while (!writer.isDone()) {
      Thread target = thread.get();
      if (target != null) {
        target.interrupt();
      }
      Thread.onSpinWait();
    }
    TestThreads.join(writer);

    checkAll(store);
    store.close();
    if (store.capabilities().contains(Capability.PERSISTENT)) {
      checkAll(stage().openAny());
    }
  }

  @Test
  default void interruptsDuringCallsChangeNothing() {
    assumeTrue(standsInterruptsDuringCalls(), "the engine's notes exclude it");
    Store store = stage().openAny();
    fill(store, 0);
    AtomicReferenceArray<@Nullable Thread> targets = new AtomicReferenceArray<>(MEMBERS);
    AtomicReferenceArray<@Nullable Thread> struck = new AtomicReferenceArray<>(MEMBERS);

    List<FutureTask<Void>> threads =
        TestThreads.start(
            MEMBERS,
            member -> {
              List<Runnable> calls = calls(store, member);
              Random random = new Random(member);
              for (int i = 0; i < CALLS; i++) {
                int which = random.nextInt(calls.size() - (i % 10 == 0 ? 0 : 3));
                Thread self = Thread.currentThread();
                struck.set(member, null);
                targets.set(member, self);
                calls.get(which).run();
                boolean spared = targets.compareAndSet(member, self, null);
                while (!spared && struck.get(member) == null) {
                  Thread.onSpinWait();
                }
                assertThat(Thread.interrupted())
                    .as("interrupted after call %d", which)
                    .isEqualTo(!spared);
              }
            });
    Random random = new Random(0);
    while (!threads.stream().allMatch(FutureTask::isDone)) {
      int member = random.nextInt(MEMBERS);
      int pause = random.nextInt(20_000);
      for (int i = 0; i < pause; i++) {
        Thread.onSpinWait();
      }
      Thread target = targets.getAndSet(member, null);
      if (target != null) {
        target.interrupt();
        struck.set(member, target);
      }
    }

    TestThreads.joinAll(threads);
    checkAll(store);
    Stage.sync(store);
    store.close();
    if (store.capabilities().contains(Capability.PERSISTENT)) {
      checkAll(stage().openAny());
    }
  }
}
