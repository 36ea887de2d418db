package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parts of a table that several threads read ahead, in one order. */
class ManyReadersTest {
  private static final int ENTRIES = 2_000;
  private static final int PART_BYTES = 4_000; // about 27 entries

  private final FakeEngine engine = new FakeEngine();

  /** What keys look like. */
  enum Keys {
    NUMBERS,
    DIGITS,
    RANDOM,
    CLUSTERS,
    PREFIXES_OF_EACH_OTHER,
    LONG_PREFIX;

    byte[] key(int i) {
      return switch (this) {
        case NUMBERS -> ByteBuffer.allocate(8).putLong(i).array();
        case DIGITS -> text("%09d".formatted(i * 7));
        case RANDOM -> {
          byte[] key = new byte[16];
          new Random(i).nextBytes(key);
          yield key;
        }
        case CLUSTERS -> text((i < 10 ? "" : i < 1_000 ? "customer/eu/" : "customer/us/x") + i);
        case PREFIXES_OF_EACH_OTHER -> new byte[i];
        case LONG_PREFIX -> text("x".repeat(400) + i);
      };
    }
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Store filled(Keys keys) {
    Store store = engine.openHere("fake:");
    for (int i = 0; i < ENTRIES; i++) {
      store.table().put(keys.key(i), new byte[i % 100]);
    }
    return store;
  }

  private static List<byte[]> sorted(Keys keys) {
    Set<byte[]> all = new TreeSet<>(Arrays::compareUnsigned);
    IntStream.range(0, ENTRIES).mapToObj(keys::key).forEach(all::add);
    return List.copyOf(all);
  }

  private static ReadAhead read(TableReader table, Range range, ReadAhead.Filter filter) {
    return new ReadAhead(table, range, 3, () -> filter, (_, _) -> {}, PART_BYTES);
  }

  private static List<byte[]> keys(ReadAhead entries) {
    List<byte[]> keys = new ArrayList<>();
    entries.forEachRemaining(entry -> keys.add(entry.key()));
    return keys;
  }

  @ParameterizedTest
  @EnumSource
  void eachEntryComesOnceAndInOrder(Keys keys) {
    List<byte[]> all = sorted(keys);
    try (Store store = filled(keys)) {
      try (ReadAhead entries = read(store.table(), Range.all(), _ -> true)) {
        assertThat(keys(entries)).containsExactlyElementsOf(all);
        assertThat(entries.hasNext()).isFalse();
      }
      Range range = Range.all().from(all.get(17), false).to(all.get(all.size() - 5), true);
      try (ReadAhead entries = read(store.table(), range, _ -> true)) {
        assertThat(keys(entries)).containsExactlyElementsOf(all.subList(18, all.size() - 4));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NUMBERS", "DIGITS"})
  void evenKeysAreReadInEvenPartsBySeveral(Keys keys) {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    AtomicInteger parts = new AtomicInteger();
    try (Store store = filled(keys);
        ReadAhead entries =
            new ReadAhead(
                store.table(),
                Range.all(),
                3,
                () -> {
                  parts.incrementAndGet();
                  return _ -> {
                    threads.add(Thread.currentThread());
                    return true;
                  };
                },
                (_, _) -> {},
                PART_BYTES)) {
      assertThat(keys(entries)).hasSize(ENTRIES);
    }
    assertThat(threads).hasSize(parts.get());
    int ideal = ENTRIES / 27;
    assertThat(parts.get()).isBetween(ideal / 2, ideal * 4);
  }

  @Test
  void nothingIsReadFarAheadOfWhatIsUsed() {
    AtomicInteger passed = new AtomicInteger();
    try (Store store = filled(Keys.NUMBERS);
        ReadAhead entries =
            read(
                store.table(),
                Range.all(),
                _ -> {
                  passed.incrementAndGet();
                  return true;
                })) {
      for (int i = 0; i < 100; i++) {
        entries.next();
      }
    }
    assertThat(passed.get()).isBetween(100, 100 + 2 * 3 * 2 * 40 + 40);
  }

  @Test
  void whatIsFilteredIsCounted() {
    AtomicLong ended = new AtomicLong();
    AtomicLong told = new AtomicLong();
    AtomicInteger parts = new AtomicInteger();
    try (Store store = filled(Keys.DIGITS);
        ReadAhead entries =
            new ReadAhead(
                store.table(),
                Range.all(),
                2,
                () -> {
                  parts.incrementAndGet();
                  return new ReadAhead.Filter() {
                    @Override
                    public boolean test(Entry entry) {
                      return entry.value().length == 7;
                    }

                    @Override
                    public void end() {
                      ended.incrementAndGet();
                    }
                  };
                },
                (count, _) -> told.set(count),
                PART_BYTES)) {
      assertThat(keys(entries)).hasSize(ENTRIES / 100);
    }
    assertThat(told).hasValue(ENTRIES);
    assertThat(ended).hasValue(parts.get());
  }

  @Test
  void failureOfAnyPartIsThrownWhereItBelongs() {
    byte[] bad = Keys.NUMBERS.key(1_000);
    try (Store store = filled(Keys.NUMBERS);
        ReadAhead entries =
            read(
                store.table(),
                Range.all(),
                entry -> {
                  if (Arrays.equals(entry.key(), bad)) {
                    throw new CorruptException("this one");
                  }
                  return true;
                })) {
      List<byte[]> seen = new ArrayList<>();
      assertThatThrownBy(() -> entries.forEachRemaining(entry -> seen.add(entry.key())))
          .isInstanceOf(CorruptException.class)
          .hasMessage("this one");
      assertThat(seen).hasSizeLessThanOrEqualTo(1_000);
      assertThat(seen).hasSizeGreaterThan(900);
    }
  }

  @Test
  void nothingAndOneEntryAreRead() {
    try (Store store = engine.openHere("fake:")) {
      try (ReadAhead entries = read(store.table(), Range.all(), _ -> true)) {
        assertThat(entries.hasNext()).isFalse();
      }
      store.table().put(new byte[] {1}, new byte[PART_BYTES * 3]);
      try (ReadAhead entries = read(store.table(), Range.all(), _ -> true)) {
        assertThat(keys(entries)).containsExactly(new byte[] {1});
      }
    }
  }
}
