package io.kvstadium.server.execute;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KnownKeysTest {
  private static final long ROOM = 8 << 20;

  private final KnownKeys known = new KnownKeys(ROOM);

  private int first(int table, byte[] key) {
    return known.first(table, key, Arrays.hashCode(key));
  }

  private void keep(int table, byte[] key, int first) {
    known.keep(table, key, Arrays.hashCode(key), (byte) first);
  }

  private static byte[] key(int number) {
    return Integer.toString(number).getBytes(US_ASCII);
  }

  @Test
  void whatIsKnownIsWhatWasKeptLast() {
    int table = known.number("some");
    Map<Integer, Integer> kept = new HashMap<>();
    Random random = new Random(3);
    for (int i = 0; i < 1_000_000; i++) {
      int number = random.nextInt(200_000);
      if (random.nextInt(5) == 0) {
        known.forget(table, key(number), Arrays.hashCode(key(number)));
        kept.remove(number);
      } else {
        int first = random.nextInt(256);
        keep(table, key(number), first);
        kept.put(number, first);
      }
    }

    int found = 0;
    for (int i = 0; i < 200_000; i++) {
      int first = first(table, key(i));
      if (first != KnownKeys.UNKNOWN) {
        assertThat(first).isEqualTo(kept.get(i));
        found++;
      }
    }
    assertThat(found).isBetween(20_000, (int) (ROOM / 96));
  }

  @Test
  void fewKeysAreAllKnown() {
    int table = known.number("some");
    for (int i = 0; i < 300; i++) {
      keep(table, key(i), i);
    }

    for (int i = 0; i < 300; i++) {
      assertThat(first(table, key(i))).isEqualTo(i & 0xff);
    }
  }

  @Test
  void tablesAreKeptApart() {
    int one = known.number("one");
    int other = known.number("other");
    keep(one, key(1), 7);

    assertThat(first(other, key(1))).isEqualTo(KnownKeys.UNKNOWN);
    assertThat(known.find("one")).isEqualTo(one);
    assertThat(known.find("third")).isEqualTo(KnownKeys.NO_TABLE);
  }

  @Test
  void nothingIsKnownAfterAClearOrOfLongKeysOrOfTooManyTables() {
    int table = known.number("some");
    keep(table, key(1), 7);
    known.clear();
    keep(table, new byte[65], 7);

    assertThat(first(table, key(1))).isEqualTo(KnownKeys.UNKNOWN);
    assertThat(first(table, new byte[65])).isEqualTo(KnownKeys.UNKNOWN);
    for (int i = 0; i < 126; i++) {
      assertThat(known.number("t" + i)).isNotEqualTo(KnownKeys.NO_TABLE);
    }
    assertThat(known.number("one more")).isEqualTo(KnownKeys.NO_TABLE);
  }
}
