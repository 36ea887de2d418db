package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.Timeline;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** However long a phase takes, its timeline holds all of it in few intervals. */
class ThroughputRecorderProperties {
  @Property(tries = 200)
  void nothingIsLostAndEverythingIsInItsInterval(
      @ForAll @Size(max = 300) List<@LongRange(min = 0, max = 400_000_000_000L) Long> first,
      @ForAll @Size(max = 300) List<@LongRange(min = 0, max = 9_000_000_000L) Long> second) {
    long origin = 12_345;
    ThroughputRecorder slow = new ThroughputRecorder(origin);
    ThroughputRecorder quick = new ThroughputRecorder(origin);
    first.stream().sorted().forEach(at -> slow.add(origin + at, 3, 7));
    second.stream().sorted().forEach(at -> quick.add(origin + at, 2, 5));

    Timeline timeline;
    try (Observer observer = new Observer(() -> -1, new TrialTotals())) {
      timeline = ThroughputRecorder.merge(List.of(slow, quick), observer);
    }

    assertThat(timeline.operations()).hasSizeLessThanOrEqualTo(512);
    assertThat(sum(timeline.operations())).isEqualTo(3L * first.size() + 2L * second.size());
    assertThat(sum(timeline.busyNanos())).isEqualTo(7L * first.size() + 5L * second.size());
    long interval = timeline.intervalNanos();
    for (int i = 0; i < timeline.operations().size(); i++) {
      long number = i;
      long there =
          3 * first.stream().filter(at -> at / interval == number).count()
              + 2 * second.stream().filter(at -> at / interval == number).count();
      assertThat(timeline.operations().get(i)).isEqualTo(there);
    }
  }

  private static long sum(List<Long> figures) {
    return figures.stream().flatMapToLong(LongStream::of).sum();
  }
}
