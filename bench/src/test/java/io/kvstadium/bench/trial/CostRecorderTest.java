package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.bench.measure.Bench;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.Usage;
import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.BackgroundWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostRecorderTest {
  private static final int MEBIBYTE = 1 << 20;

  @TempDir Path directory;
  private final List<Message> messages = new ArrayList<>();
  private final Busy busy = new Busy();
  private final Bench bench = new Bench(300, busy, 1);
  private long now;
  private final CostRecorder costs =
      new CostRecorder(
          Path.of("/nowhere"),
          bench.workset,
          bench.population,
          new TrialTotals(),
          new Settling(() -> now, () -> now += 20_000_000),
          messages::add);

  /** Compacts for a number of looks after each write, or does not report it. */
  private static final class Busy extends MapTarget {
    boolean tells = true;
    int busyLooks;
    int left;

    @Override
    public void put(byte[] key, byte[] value) {
      super.put(key, value);
      left = busyLooks;
    }

    @Override
    public @Nullable BackgroundWork background() {
      if (!tells) {
        return null;
      }
      return left-- > 0 ? new BackgroundWork(1, 10) : BackgroundWork.NONE;
    }
  }

  /** Of a store whose files are there. */
  private CostRecorder here() {
    return new CostRecorder(
        directory,
        bench.workset,
        bench.population,
        new TrialTotals(),
        new Settling(() -> now, () -> now++),
        messages::add);
  }

  private void run(Operation operation, String name) {
    PhaseSpec spec = Bench.named(Bench.phase(operation), name);
    costs.before(spec, busy::background);
    bench.run(spec);
    costs.after(spec, new Usage(0, 0, 100, 0, 0));
  }

  @Test
  void readsAfterWritesWaitUntilTheEngineIsStable() {
    busy.busyLooks = 5;
    run(Operation.INSERT, "load");
    assertThat(messages).isEmpty();

    run(Operation.GET, "read");
    assertThat(messages).hasSizeGreaterThanOrEqualTo(5);
    int waited = messages.size();
    run(Operation.GET, "read again");
    assertThat(messages).as("nothing was written since").hasSize(waited);
    run(Operation.UPDATE, "update");
    costs.settle(busy::background);

    CostCard card = costs.card();
    assertThat(card.settling().stable()).isTrue();
    assertThat(card.settling().unstable()).isEmpty();
    assertThat(card.settling().settleNanos()).isEqualTo(2 * 5 * 20_000_000L);
    assertThat(card.traffic().readBytes()).isGreaterThanOrEqualTo(400);
  }

  @Test
  void readsOfAnEngineThatDoesNotTellAreNamed() {
    busy.tells = false;
    run(Operation.INSERT, "load");
    run(Operation.GET, "read");
    run(Operation.GET, "read again");
    costs.settle(busy::background);

    CostCard card = costs.card();
    assertThat(card.settling().stable()).isFalse();
    assertThat(card.settling().unstable()).containsExactly("read", "read again");
    assertThat(card.settling().settleNanos()).isEqualTo(-1);
    assertThat(card.sizes().closedDiskBytes()).isEqualTo(-1);
    assertThat(card.sizes().liveBytes()).isPositive();
  }

  @Test
  void anEngineThatNeverEndsIsNotWaitedForWithoutEnd() {
    busy.busyLooks = Integer.MAX_VALUE;
    run(Operation.INSERT, "load");
    run(Operation.GET, "read");

    CostCard card = costs.card();
    assertThat(card.settling().stable()).isFalse();
    assertThat(card.settling().unstable()).containsExactly("read");
    assertThat(card.settling().settleNanos()).isEqualTo(60_000_000_000L);
  }

  @Test
  void theSizeIsThatBeforeTheFirstDeleteAndTheClosedOneThatAfterTheClose() throws IOException {
    CostRecorder here = here();
    PhaseSpec insert = Bench.phase(Operation.INSERT);
    PhaseSpec delete = Bench.phase(Operation.DELETE);
    here.before(insert, busy::background);
    bench.run(insert);
    Files.write(directory.resolve("data"), new byte[3 * MEBIBYTE]);
    here.after(insert, new Usage(0, 0, -1, 0, 0));
    here.before(delete, busy::background);
    bench.run(delete);
    Files.write(directory.resolve("data"), new byte[1]);
    here.after(delete, new Usage(0, 0, -1, 0, 0));
    here.settle(busy::background);
    Files.write(directory.resolve("data"), new byte[MEBIBYTE]); // what it held back until the close
    here.ended();

    CostCard card = here.card();
    assumeThat(card.sizes().diskBytes()).as("du is there").isNotEqualTo(-1);
    assertThat(card.sizes().diskBytes()).isGreaterThanOrEqualTo(3 * MEBIBYTE);
    assertThat(card.sizes().liveBytes()).isPositive();
    assertThat(card.sizes().closedDiskBytes()).isBetween((long) MEBIBYTE, 2L * MEBIBYTE);
    assertThat(card.sizes().closedLiveBytes()).isZero();
  }

  @Test
  void theSizeAtTheEndIsThatAfterTheLastWrite() throws IOException {
    CostRecorder here = here();
    for (int data = 1; data <= 3; data++) {
      PhaseSpec insert = Bench.phase(Operation.INSERT);
      here.before(insert, busy::background);
      bench.run(insert);
      Files.write(directory.resolve("data" + data), new byte[MEBIBYTE]);
      here.after(insert, new Usage(0, 0, -1, 0, 0));
      here.settle(busy::background);
    }

    CostCard.Sizes sizes = here.card().sizes();
    assumeThat(sizes.diskBytes()).as("du is there").isNotEqualTo(-1);
    assertThat(sizes.diskBytes()).isGreaterThanOrEqualTo(3 * MEBIBYTE);
  }

  @Test
  void theSizeAtRestIsThatOfAFullStoreThatPutsMade() throws IOException {
    CostRecorder here = here();
    for (Operation each : List.of(Operation.INSERT, Operation.DELETE)) {
      PhaseSpec spec = Bench.phase(each);
      here.before(spec, busy::background);
      bench.run(spec);
      Files.write(directory.resolve("log"), new byte[9 * MEBIBYTE]); // until the close
      here.after(spec, new Usage(0, 0, -1, 0, 0));
      Files.delete(directory.resolve("log"));
      Files.write(directory.resolve("data"), new byte[each == Operation.INSERT ? MEBIBYTE : 1]);
      here.closed();
    }
    PhaseSpec bulk = Bench.phase(Operation.LOAD);
    here.before(bulk, busy::background);
    assertThat(here.replaces(bulk)).isTrue();
    here.replaced();
    bench.run(Bench.phase(Operation.INSERT)); // stands for it
    Files.write(directory.resolve("data"), new byte[1]);
    here.after(bulk, new Usage(0, 0, 0, 0, 0));
    here.ended();

    CostCard.Sizes sizes = here.card().sizes();
    assumeThat(sizes.diskBytes()).as("du is there").isNotEqualTo(-1);
    assertThat(sizes.resting()).isBetween((long) MEBIBYTE, 2L * MEBIBYTE);
    assertThat(sizes.closedLiveBytes()).isPositive();
  }
}
