package io.kvstadium.engine.mvstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Durability;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Options;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When sparse chunks are rewritten, and by whom. */
class HousekeepingTest {
  private final AtomicLong commits = new AtomicLong();
  private final AtomicLong size = new AtomicLong(1 << 30);
  private final AtomicBoolean gains = new AtomicBoolean(true);
  private final AtomicBoolean found = new AtomicBoolean(true);
  private final List<String> rewrites = new ArrayList<>();

  private Housekeeping housekeeping() {
    return new Housekeeping(
        90,
        commits::get,
        (fillRate, bytes) -> {
          rewrites.add(fillRate + "% " + (bytes >> 20) + "m");
          size.addAndGet(gains.get() ? -(1 << 20) : -1);
          return found.get() ? size.get() : Housekeeping.NOTHING;
        });
  }

  @Test
  void beside_writers_it_does_less_than_while_they_rest() {
    try (Housekeeping housekeeping = housekeeping()) {
      commits.set(1_000);
      housekeeping.look();
      commits.set(2_000);
      housekeeping.look();
      housekeeping.look();

      assertThat(rewrites).containsExactly("81% 1m", "81% 1m", "90% 4m");
    }
  }

  @Test
  void it_rests_when_little_is_gained_until_there_are_writers_again() {
    try (Housekeeping housekeeping = housekeeping()) {
      look(housekeeping, 10); // nobody has written yet
      assertThat(rewrites).isEmpty();

      commits.set(1);
      look(housekeeping, 1 + 20);
      assertThat(rewrites).hasSize(21);

      gains.set(false);
      look(housekeeping, 20);
      assertThat(rewrites).hasSize(21 + 6);

      commits.set(2);
      look(housekeeping, 2);
      assertThat(rewrites).hasSize(21 + 6 + 2).endsWith("81% 1m", "90% 4m");
    }
  }

  @Test
  void it_rests_when_nothing_is_sparse() {
    try (Housekeeping housekeeping = housekeeping()) {
      found.set(false);
      commits.set(1);

      look(housekeeping, 10);

      assertThat(rewrites).containsExactly("81% 1m", "90% 4m");
    }
  }

  private static void look(Housekeeping housekeeping, int times) {
    for (int i = 0; i < times; i++) {
      housekeeping.look();
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static long bytesWritten(MvstoreStore store) {
    return Long.parseLong(store.stats().getOrDefault("FILE_WRITE_BYTES", ""));
  }

  /** A thousand commits in random order leave chunks with little live data. */
  @Test
  void writers_do_none_of_it(@TempDir Path directory) {
    Options options = Options.of("mvstore", new MvstoreEngine().info().options(), Map.of());
    StoreConfig config =
        new StoreConfig(
            directory.toString(), directory, Durability.POWER, false, options, _ -> options);
    MvstoreFile file = MvstoreFile.of(config);
    MVStore opened = file.open(config);
    try (MvstoreStore store = new MvstoreStore(opened, file, MvstoreFile.fillRate(options))) {
      MvstoreTable table =
          Objects.requireNonNull(store.openTable(Store.DEFAULT_TABLE, options, true));
      Random random = new Random(7);
      long most = 0;
      for (int i = 0; i < 1_000; i++) {
        long before = bytesWritten(store);
        store.put(table, key(random.nextInt(2_000)), new byte[500]);
        most = Math.max(most, bytesWritten(store) - before);
      }
      assertThat(most).as("bytes of the largest commit").isLessThan(100_000);

      long before = bytesWritten(store);
      store.housekeeping().look();

      assertThat(bytesWritten(store) - before).isGreaterThan(100_000);
      for (int i = 0; i < 2_000; i++) {
        byte[] value = store.get(table, key(i));
        assertThat(value == null || value.length == 500).isTrue();
      }
    }
  }
}
