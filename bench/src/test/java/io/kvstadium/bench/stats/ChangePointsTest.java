package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.stats.ChangePoints.Change;
import io.kvstadium.bench.stats.Verdict.Faster;
import io.kvstadium.bench.stats.Verdict.Slower;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Histories of sixteen runs, each of which the machine makes faster or slower by some 5 %. */
class ChangePointsTest {
  private static final int RUNS = 16;
  private static final int HISTORIES = 300;
  private static final double NOISE = 0.05;

  private final RandomGenerator random = new SplittableRandom(11);

  @Test
  void ofEqualHistoriesAtMostOneInTwentyHasAChange() {
    int found = 0;
    for (int i = 0; i < HISTORIES; i++) {
      found += changes(1, RUNS).isEmpty() ? 0 : 1;
    }

    assertThat((double) found / HISTORIES).isLessThanOrEqualTo(Families.LEVEL);
  }

  @Test
  void aStepOfAFifthIsFoundWhereItIs() {
    int found = 0;
    for (int i = 0; i < HISTORIES; i++) {
      List<Change> changes = changes(1.2, 10);
      found +=
          changes.size() == 1
                  && Math.abs(changes.getFirst().at() - 10) <= 1
                  && changes.getFirst().verdict() instanceof Slower
              ? 1
              : 0;
    }

    assertThat((double) found / HISTORIES).isGreaterThan(0.85);
  }

  @Test
  void whatChangedAndCameBackAreTwoChanges() {
    List<Change> changes =
        ChangePoints.of(
            List.of(100.0, 101.0, 99.0, 100.0, 50.0, 51.0, 49.0, 50.0, 100.0, 99.0, 101.0), 0.05);

    assertThat(changes).extracting(Change::at).containsExactly(4, 8);
    assertThat(changes.getFirst().verdict()).isInstanceOf(Slower.class);
    assertThat(changes.getLast().verdict()).isInstanceOf(Faster.class);
  }

  /** One run may be an outlier, and of few runs nothing is known. */
  @Test
  void oneRunIsNoChange() {
    assertThat(ChangePoints.of(List.of(100.0, 101.0, 99.0, 100.0, 50.0), 0.05)).isEmpty();
    assertThat(ChangePoints.of(List.of(100.0, 50.0), 0.05)).isEmpty();
    assertThat(ChangePoints.of(List.of(), 0.05)).isEmpty();
  }

  private List<Change> changes(double slowdown, int at) {
    List<Double> speeds = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      double speed = 1_000 * Math.exp(random.nextGaussian() * NOISE);
      speeds.add(run < at ? speed : speed / slowdown);
    }
    return ChangePoints.of(speeds, Families.LEVEL);
  }
}
