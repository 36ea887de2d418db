package io.kvstadium.server.execute;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HotEntriesTest {
  private static final int ROOM = 8 << 20;

  private final HotEntries hot = new HotEntries(ROOM);

  private static byte[] key(int number) {
    return Integer.toString(number).getBytes(US_ASCII);
  }

  private HotEntries.@Nullable Entry find(int table, byte[] key) {
    return hot.find(table, key, Arrays.hashCode(key));
  }

  private void write(int table, byte[] key, byte @Nullable [] value) {
    hot.beginWrite(table, key, Arrays.hashCode(key));
    hot.put(table, key, Arrays.hashCode(key), value);
    hot.endWrite();
  }

  private void fill(int table, byte[] key, byte @Nullable [] value) {
    int hash = Arrays.hashCode(key);
    hot.fill(table, key, hash, value, hot.stamp(table, hash));
  }

  @Test
  void whatIsKnownIsWhatWasWrittenLast() {
    int table = hot.table("some");
    Map<Integer, byte @Nullable []> written = new HashMap<>();
    Random random = new Random(3);
    for (int i = 0; i < 500_000; i++) {
      int number = random.nextInt(100_000);
      byte[] value = random.nextInt(5) == 0 ? null : new byte[random.nextInt(300)];
      if (value != null) {
        random.nextBytes(value);
      }
      write(table, key(number), value);
      written.put(number, value);
    }

    int found = 0;
    for (int i = 0; i < 100_000; i++) {
      HotEntries.Entry entry = find(table, key(i));
      if (entry != null) {
        assertThat(entry.isKnown()).isTrue();
        assertThat(entry.value).isEqualTo(written.get(i));
        found++;
      }
    }
    assertThat(found).isGreaterThan(10_000);
    assertThat(hot.bytes()).isBetween(ROOM / 2L, (long) ROOM);
  }

  @Test
  void whatIsReadOftenStays() {
    int table = hot.table("some");
    fill(table, key(-1), key(-1));
    for (int i = 0; i < 1_000_000; i++) {
      fill(table, key(i), key(i));
      assertThat(find(table, key(-1))).isNotNull();
    }
    assertThat(find(table, key(0))).isNull();
  }

  @Test
  void ofALargeValueOnlyTheFirstByteIsKnownAndOfALongKeyNothing() {
    int table = hot.table("some");
    byte[] large = new byte[HotEntries.MAX_VALUE + 1];
    large[0] = 7;
    fill(table, key(1), large);
    fill(table, new byte[HotEntries.MAX_KEY + 1], large);
    fill(table, key(2), null);

    assertThat(find(table, key(1)))
        .satisfies(entry -> {
          assertThat(entry.isKnown()).isFalse();
          assertThat(entry.first).isEqualTo(7);
        });
    assertThat(find(table, new byte[HotEntries.MAX_KEY + 1])).isNull();
    assertThat(find(table, key(2)))
        .satisfies(entry -> {
          assertThat(entry.isKnown()).isTrue();
          assertThat(entry.first).isEqualTo(WriteSet.ABSENT);
        });
  }

  @Test
  void tablesAreKeptApartAndOneThatIsMadeAgainIsEmpty() {
    int one = hot.table("one");
    fill(one, key(1), key(7));

    assertThat(hot.table("one")).isEqualTo(one);
    assertThat(find(hot.table("other"), key(1))).isNull();
    hot.forget("one");
    assertThat(find(hot.table("one"), key(1))).isNull();
  }

  @Test
  void whoWasOvertakenByAWriterPutsNothingIn() {
    int table = hot.table("some");
    byte[] key = key(1);
    int hash = Arrays.hashCode(key);

    int before = hot.stamp(table, hash);
    hot.beginWrite(table, key, hash);
    int meanwhile = hot.stamp(table, hash);
    hot.fill(table, key, hash, key(5), before);
    hot.fill(table, key, hash, key(5), meanwhile);
    assertThat(find(table, key)).isNull();
    hot.endWrite();
    hot.fill(table, key, hash, key(5), before);
    hot.fill(table, key, hash, key(5), meanwhile);
    assertThat(find(table, key)).isNull();

    fill(table, key, key(6));
    int cleared = hot.stamp(table, hash);
    hot.abandon();
    hot.fill(table, key, hash, key(5), cleared);
    assertThat(find(table, key)).isNull();
  }

  /** Readers and a writer whose commits take effect at some moment in between, or fail. */
  @Test
  void nothingThatWasAcknowledgedIsEverReadInAnOlderForm() throws Exception {
    int keys = 40;
    int table = hot.table("some");
    Map<Integer, Long> store = new ConcurrentHashMap<>();
    AtomicLongArray acknowledged = new AtomicLongArray(keys);
    AtomicBoolean ended = new AtomicBoolean();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Long>> readers = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        Random random = new Random(reader);
        readers.add(
            threads.submit(() -> {
              long found = 0;
              while (!ended.get()) {
                int number = random.nextInt(keys);
                byte[] key = key(number);
                int hash = Arrays.hashCode(key);
                long atLeast = acknowledged.get(number);
                HotEntries.Entry entry = hot.find(table, key, hash);
                long seen;
                if (entry == null) {
                  int stamp = hot.stamp(table, hash);
                  seen = store.getOrDefault(number, 0L);
                  byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(seen).array();
                  hot.fill(table, key, hash, value, stamp);
                } else {
                  seen = ByteBuffer.wrap(entry.value).getLong();
                  found++;
                }
                assertThat(seen).isGreaterThanOrEqualTo(atLeast);
              }
              return found;
            }));
      }
      Random random = new Random(77);
      try {
        for (long version = 1; version <= 300_000; version++) {
          int number = random.nextInt(keys);
          byte[] key = key(number);
          int hash = Arrays.hashCode(key);
          hot.beginWrite(table, key, hash);
          store.put(number, version);
          if (random.nextInt(1_000) == 0) {
            hot.abandon(); // the store has it, and nobody was told
          } else {
            hot.put(table, key, hash, ByteBuffer.allocate(Long.BYTES).putLong(version).array());
            hot.endWrite();
          }
          acknowledged.set(number, version);
        }
      } finally {
        ended.set(true);
      }
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    }
  }
}
