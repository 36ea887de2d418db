package io.kvstadium.server.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

class EmptyRangesTest {
  private final EmptyRanges emptyRanges = new EmptyRanges();
  private final NavigableSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);

  /** Few different keys, some of them neighbours, some longer than what is kept. */
  private static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(10) == 0 ? 300 : 1 + random.nextInt(2)];
    for (int i = Math.max(0, key.length - 2); i < key.length; i++) {
      key[i] = (byte) random.nextInt(6);
    }
    return key;
  }

  private static Range<byte[]> range(Random random) {
    byte[] one = key(random);
    byte[] other = key(random);
    boolean ascends = Arrays.compareUnsigned(one, other) < 0;
    Range<byte[]> range =
        Range.<byte[]>all()
            .from(ascends ? one : other, random.nextBoolean())
            .to(ascends ? other : one, random.nextBoolean());
    return random.nextBoolean() ? range.reverse() : range;
  }

  private static byte @Nullable [] first(NavigableSet<byte[]> keys, Range<byte[]> range) {
    for (byte[] key : range.reversed() ? keys.descendingSet() : keys) {
      if (range.contains(key)) {
        return key;
      }
    }
    return null;
  }

  // at every moment, and for views of earlier ones, as long as nothing was put since
  @Property(tries = 200)
  void aNarrowedRangeHasTheSameEntries(@ForAll long seed) {
    Random random = new Random(seed);
    List<NavigableSet<byte[]>> views = new ArrayList<>();
    for (int moment = 0; moment < 60; moment++) {
      NavigableSet<byte[]> view = new TreeSet<>(Arrays::compareUnsigned);
      view.addAll(keys);
      views.add(view);
      byte[] key = key(random);
      switch (random.nextInt(3)) {
        case 0 -> {
          emptyRanges.fill(key);
          keys.add(key);
          views.replaceAll(_ -> keys); // only what is still true is told
        }
        case 1 -> {
          keys.remove(key);
          emptyRanges.removed(key, moment + 1);
        }
        default -> {
          Range<byte[]> range = range(random);
          emptyRanges.add(range, first(keys, range), moment);
        }
      }
      for (int i = 0; i < 5; i++) {
        Range<byte[]> range = range(random);
        int at = random.nextInt(views.size());
        assertThat(first(keys, emptyRanges.narrow(range, EmptyRanges.LATEST)))
            .isEqualTo(first(keys, range));
        assertThat(first(views.get(at), emptyRanges.narrow(range, at)))
            .isEqualTo(first(views.get(at), range));
      }
    }
  }
}
