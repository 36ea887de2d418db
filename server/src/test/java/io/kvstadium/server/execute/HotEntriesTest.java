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

  private byte @Nullable [] read(int table, byte[] key) {
    return hot.read(table, key, Arrays.hashCode(key));
  }

  private int length(int table, byte[] key) {
    return hot.length(table, key, Arrays.hashCode(key));
  }

  private int first(int table, byte[] key) {
    return hot.first(table, key, Arrays.hashCode(key));
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
      byte[] value = random.nextInt(5) == 0 ? null : new byte[1 + random.nextInt(300)];
      if (value != null) {
        random.nextBytes(value);
      }
      write(table, key(number), value);
      written.put(number, value);
    }

    int found = 0;
    for (int i = 0; i < 100_000; i++) {
      byte[] value = read(table, key(i));
      if (value != null) {
        byte[] expected = written.get(i);
        assertThat(value).isEqualTo(expected == null ? HotEntries.NO_VALUE : expected);
        assertThat(length(table, key(i))).isEqualTo(expected == null ? -1 : expected.length);
        assertThat(first(table, key(i))).isEqualTo(expected == null ? -1 : expected[0] & 0xff);
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
      assertThat(read(table, key(-1))).isEqualTo(key(-1));
    }
    assertThat(read(table, key(0))).isNull();
  }

  @Test
  void ofALargeValueOnlyTheFirstByteIsKnownAndOfALongKeyNothing() {
    int table = hot.table("some");
    byte[] large = new byte[HotEntries.MAX_VALUE + 1];
    large[0] = 7;
    fill(table, key(1), large);
    fill(table, new byte[HotEntries.MAX_KEY + 1], large);
    fill(table, key(2), null);

    assertThat(read(table, key(1))).isNull();
    assertThat(length(table, key(1))).isEqualTo(HotEntries.LARGE);
    assertThat(first(table, key(1))).isEqualTo(7);
    assertThat(length(table, new byte[HotEntries.MAX_KEY + 1])).isEqualTo(HotEntries.UNKNOWN);
    assertThat(read(table, key(2))).isSameAs(HotEntries.NO_VALUE);
    assertThat(length(table, key(2))).isEqualTo(WriteSet.ABSENT);
    assertThat(first(table, key(2))).isEqualTo(WriteSet.ABSENT);
    assertThat(first(table, key(3))).isEqualTo(HotEntries.UNKNOWN);
  }

  @Test
  void allThatIsInUseIsKeptThoughItIsReplacedAgainAndAgain() {
    // given: values of many lengths, so that few are replaced in their place
    int table = hot.table("some");
    Random random = new Random(9);
    int keys = 10_000; // with 150 bytes each: a quarter of the room
    for (int i = 0; i < keys; i++) {
      write(table, key(i), new byte[random.nextInt(250)]);
    }
    // when
    for (int i = 0; i < 300_000; i++) {
      write(table, key(random.nextInt(keys)), new byte[random.nextInt(250)]);
    }
    // then
    int known = 0;
    for (int i = 0; i < keys; i++) {
      known += read(table, key(i)) == null ? 0 : 1;
    }
    assertThat(known).isGreaterThan(keys * 98 / 100);
  }

  @Test
  void tablesAreKeptApartAndOneThatIsMadeAgainIsEmpty() {
    int one = hot.table("one");
    fill(one, key(1), key(7));

    assertThat(hot.table("one")).isEqualTo(one);
    assertThat(read(hot.table("other"), key(1))).isNull();
    hot.forget("one");
    assertThat(read(hot.table("one"), key(1))).isNull();
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
    assertThat(read(table, key)).isNull();
    hot.endWrite();
    hot.fill(table, key, hash, key(5), before);
    hot.fill(table, key, hash, key(5), meanwhile);
    assertThat(read(table, key)).isNull();

    fill(table, key, key(6));
    int cleared = hot.stamp(table, hash);
    hot.abandon();
    hot.fill(table, key, hash, key(5), cleared);
    assertThat(read(table, key)).isNull();
  }

  /** A number in many places, so that a value that was read while it changed is seen. */
  private static byte[] value(long number) {
    ByteBuffer value = ByteBuffer.allocate(Long.BYTES * (8 + (int) (number / 7 % 3)));
    while (value.hasRemaining()) {
      value.putLong(number);
    }
    return value.array();
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
                byte[] known = hot.read(table, key, hash);
                long seen;
                if (known == null) {
                  int stamp = hot.stamp(table, hash);
                  seen = store.getOrDefault(number, 0L);
                  hot.fill(table, key, hash, value(seen), stamp);
                } else {
                  seen = ByteBuffer.wrap(known).getLong();
                  assertThat(known).isEqualTo(value(seen));
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
            hot.put(table, key, hash, value(version));
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
