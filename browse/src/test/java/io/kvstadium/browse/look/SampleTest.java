package io.kvstadium.browse.look;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Estimates against what is there, on keys of several shapes. */
class SampleTest {
  private static final int ENTRIES = 50_000;

  static Stream<Arguments> shapes() {
    SplittableRandom random = new SplittableRandom(7);
    return Stream.of(
        Arguments.of(
            "text with numbers", shape(i -> "user:%06d:name".formatted(i).getBytes(UTF_8))),
        Arguments.of(
            "two groups",
            shape(i -> (i % 5 == 0 ? "a:%d" : "user/%05d").formatted(i).getBytes(UTF_8))),
        Arguments.of(
            "hexadecimal", shape(_ -> Long.toHexString(random.nextLong()).getBytes(UTF_8))),
        Arguments.of("numbers", shape(i -> ByteBuffer.allocate(8).putLong(i).array())),
        Arguments.of(
            "random bytes",
            shape(_ ->
                ByteBuffer.allocate(16)
                    .putLong(random.nextLong())
                    .putLong(random.nextLong())
                    .array())));
  }

  private static IntFunction<byte[]> shape(IntFunction<byte[]> shape) {
    return shape;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void anEstimateIsOfTheRightSize(String name, IntFunction<byte[]> shape) {
    try (Store store = Engines.installed().open("memory:" + name, OpenOptions.DEFAULT)) {
      Table<byte[], byte[]> table = store.table();
      for (int i = 0; i < ENTRIES; i++) {
        table.put(shape.apply(i), new byte[100]);
      }
      long count = table.count();

      Sample sample = Sample.of(table, Range.all(), 2000, later(), true);

      assertThat(sample.exact()).isFalse();
      assertThat(sample.count()).isCloseTo((double) count, Percentage.withPercentage(40));
      assertThat(sample.scaled((double) count).bytes() / count).isCloseTo(110, within(20.0));
    }
  }

  @Test
  void eachOfAFewGroupsHasItsShare() {
    Map<String, Integer> groups =
        Map.of("order:2026-01-", 15_000, "session:", 5000, "user:", 30_000);
    try (Store store = Engines.installed().open("memory:groups", OpenOptions.DEFAULT)) {
      groups.forEach((name, count) -> {
        for (int i = 0; i < count; i++) {
          store.table().put("%s%06d".formatted(name, i).getBytes(UTF_8), new byte[100]);
        }
      });

      Sample sample = Sample.of(store.table(), Range.all(), 4000, later(), true);

      groups.forEach((name, count) ->
          assertThat(
                  sample.entries().stream()
                      .filter(each -> new String(each.entry().key(), UTF_8).startsWith(name))
                      .mapToDouble(Sample.Weighted::weight)
                      .sum())
              .as(name)
              .isCloseTo((double) count, Percentage.withPercentage(40)));
    }
  }

  @Test
  void whatIsReadWholeIsExact() {
    try (Store store = Engines.installed().open("memory:small", OpenOptions.DEFAULT)) {
      for (int i = 0; i < 100; i++) {
        store.table().put(new byte[] {(byte) i}, new byte[i]);
      }

      Sample sample = Sample.of(store.table(), Range.all(), 2000, later(), true);

      assertThat(sample.exact()).isTrue();
      assertThat(sample.count()).isEqualTo(100);
      assertThat(sample.bytes()).isEqualTo(100 + 99 * 50);
    }
  }

  private static long later() {
    return System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
  }
}
