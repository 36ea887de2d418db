package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.trial.Settling.End;
import io.kvstadium.store.BackgroundWork;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With a clock that advances by one at each pause. */
class SettlingTest {
  private static final BackgroundWork BUSY = new BackgroundWork(2, 900);
  private static final BackgroundWork DUE = new BackgroundWork(0, 900);
  private static final long MAX = 200;

  private long now;
  private int told;

  private Settling.Outcome await(BackgroundWork... looks) {
    Deque<BackgroundWork> left = new ArrayDeque<>(Arrays.asList(looks));
    return new Settling(() -> now, () -> now++)
        .await(() -> left.size() > 1 ? left.remove() : left.element(), MAX, () -> told++);
  }

  @Test
  void waitsUntilNothingRunsAndNothingIsDue() {
    Settling.Outcome outcome = await(BUSY, DUE, BUSY, BackgroundWork.NONE);

    assertThat(outcome).isEqualTo(new Settling.Outcome(End.STABLE, 3));
    assertThat(told).as("progress").isPositive();
  }

  @Test
  void aQuietMomentBetweenTwoJobsIsNotTheEnd() {
    Settling.Outcome outcome = await(BUSY, BackgroundWork.NONE, BUSY, BUSY, BackgroundWork.NONE);

    assertThat(outcome).isEqualTo(new Settling.Outcome(End.STABLE, 4));
  }

  @Test
  void whatWasQuietFromTheBeginningTookNoTime() {
    assertThat(await(BackgroundWork.NONE)).isEqualTo(new Settling.Outcome(End.STABLE, 0));
  }

  @Test
  void bytesThatStayPendingThoughNoJobRunsAreLeft() {
    Settling.Outcome outcome = await(BUSY, DUE);

    assertThat(outcome).isEqualTo(new Settling.Outcome(End.STABLE, 1));
    assertThat(now).as("it was looked at for a while").isGreaterThan(10).isLessThan(MAX);
  }

  @Test
  void bytesThatBecomeFewerAreWaitedFor() {
    List<BackgroundWork> fewer =
        java.util.stream.IntStream.rangeClosed(0, 100)
            .mapToObj(i -> new BackgroundWork(0, 100 - i))
            .toList();

    Settling.Outcome outcome = await(fewer.toArray(BackgroundWork[]::new));

    assertThat(outcome).isEqualTo(new Settling.Outcome(End.STABLE, 100));
  }

  @Test
  void givesUpOnAnEngineThatNeverEnds() {
    assertThat(await(BUSY)).isEqualTo(new Settling.Outcome(End.GAVE_UP, MAX));
  }

  @Test
  void asksOnceWhereTheEngineDoesNotTell() {
    Settling.Outcome outcome =
        new Settling(() -> now, () -> now++).await(() -> null, MAX, () -> told++);

    assertThat(outcome).isEqualTo(new Settling.Outcome(End.UNKNOWN, 0));
    assertThat(now + told).isZero();
  }
}
