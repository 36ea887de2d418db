package io.kvstadium.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.torture.check.Finding.Kind;
import io.kvstadium.torture.check.Operation.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Tests the checker on stores whose true content is known. */
class CheckerTest {
  private static final int WRITERS = 2;

  /** A model of a store: the given number of each writer's operations applied, then damaged. */
  private static final class Model {
    private final Plan plan;
    private final Sessions sessions = new Sessions();
    private final byte[][][] values;
    private final long[] done = new long[WRITERS];

    Model(long seed) {
      plan =
          Plan.of(
              seed,
              WRITERS,
              Set.of(Capability.WRITE, Capability.BATCH, Capability.TABLES, Capability.BULK_LOAD));
      values = new byte[WRITERS][plan.slots()][];
      sessions.begin(done);
    }

    Model write(int writer, int count) {
      for (int i = 0; i < count; i++) {
        apply(writer, plan.operation(writer, done[writer]).changes());
        done[writer]++;
      }
      return this;
    }

    void apply(int writer, List<Change> changes) {
      Content content = new Content(0, done[writer], done.clone());
      for (Change change : changes) {
        values[writer][change.slot()] =
            change.deletes() ? null : content.value(plan, writer, change);
      }
    }

    /** The number of the next operation of this kind with several puts. */
    long next(int writer, Operation.Kind kind) {
      for (long n = done[writer]; ; n++) {
        Operation operation = plan.operation(writer, n);
        if (operation.kind() == kind
            && operation.changes().stream().filter(each -> !each.deletes()).count() > 2) {
          return n;
        }
      }
    }

    Checker.Verdict check(Guarantee guarantee, long[] acknowledged) {
      Reading reading = new Reading(plan);
      for (int writer = 0; writer < WRITERS; writer++) {
        for (int slot = 0; slot < plan.slots(); slot++) {
          if (values[writer][slot] != null) {
            reading.add(writer, slot, values[writer][slot], sessions);
          }
        }
      }
      long[] begun = {acknowledged[0] + 1, acknowledged[1] + 1};
      return new Checker(plan, guarantee, acknowledged, begun, new long[WRITERS]).check(reading);
    }
  }

  private static List<Kind> kinds(Checker.Verdict verdict) {
    return verdict.findings().stream().map(Finding::kind).toList();
  }

  @Property(tries = 50)
  void whatWasAcknowledgedAndIsThereIsInOrder(
      @ForAll long seed,
      @ForAll @IntRange(max = 300) int one,
      @ForAll @IntRange(max = 300) int two) {
    Model model = new Model(seed).write(0, one).write(1, two);

    Checker.Verdict verdict = model.check(Guarantee.ALL, model.done);

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.present()[0]).isGreaterThanOrEqualTo(one);
  }

  @Property(tries = 50)
  void whatIsMissingAtTheEndIsLostOrAPrefix(
      @ForAll long seed, @ForAll @IntRange(max = 200) int there) {
    Model model = new Model(seed).write(0, there);
    long acknowledged = model.next(0, Operation.Kind.BATCH) + 1; // so that something differs
    long[] all = {acknowledged, 0};

    assertThat(kinds(model.check(Guarantee.ALL, all))).containsExactly(Kind.LOST_ACK);
    assertThat(model.check(Guarantee.PREFIX, all).findings()).isEmpty();
    assertThat(model.check(Guarantee.NOTHING, all).findings()).isEmpty();
  }

  @Property(tries = 50)
  void aPartOfABatchIsTorn(@ForAll long seed) {
    Model model = new Model(seed);
    long batch = model.next(0, Operation.Kind.BATCH);
    model.write(0, (int) batch);
    List<Change> puts =
        model.plan.operation(0, batch).changes().stream().filter(each -> !each.deletes()).toList();
    model.apply(0, puts.subList(0, 1));

    long[] acknowledged = {batch, 0};

    assertThat(kinds(model.check(Guarantee.ALL, acknowledged))).containsExactly(Kind.TORN_BATCH);
    assertThat(kinds(model.check(Guarantee.PREFIX, acknowledged))).containsExactly(Kind.TORN_BATCH);
  }

  @Property(tries = 50)
  void aPartOfALoadThatHadNotReturnedIsAllowed(@ForAll long seed) {
    Model model = new Model(seed);
    long load = model.next(0, Operation.Kind.LOAD);
    model.write(0, (int) load);
    model.apply(0, model.plan.operation(0, load).changes().subList(0, 1));

    assertThat(model.check(Guarantee.ALL, new long[] {load, 0}).findings()).isEmpty();
    assertThat(kinds(model.check(Guarantee.ALL, new long[] {load + 1, 0})))
        .containsExactly(Kind.LOST_ACK);
  }

  @Test
  void aHoleIsNoPrefix() {
    Model model = new Model(5).write(0, 3);
    long skipped = model.done[0];
    while (model.plan.operation(0, skipped).kind() != Operation.Kind.BATCH) {
      skipped++;
    }
    model.write(0, (int) (skipped - model.done[0]));
    model.done[0]++; // as if it had been written
    model.write(0, 2);

    assertThat(kinds(model.check(Guarantee.PREFIX, model.done))).containsExactly(Kind.NOT_A_PREFIX);
  }

  @Test
  void oneWritersOperationDemandsWhatAnotherHadBefore() {
    Model model = new Model(7).write(0, 60).write(1, 60);
    Model without = new Model(7).write(0, 20);
    without.values[1] = model.values[1]; // which had seen 60 of the other's

    assertThat(kinds(without.check(Guarantee.PREFIX, model.done)))
        .containsExactly(Kind.NOT_A_PREFIX);
  }

  @Test
  void otherBytesAreWrong() {
    Model model = new Model(9).write(0, 50);
    int slot = slots(model).getFirst();
    byte[] value = model.values[0][slot].clone();
    value[value.length - 1] ^= 1;
    model.values[0][slot] = value;

    assertThat(kinds(model.check(Guarantee.PREFIX, model.done))).contains(Kind.WRONG_BYTES);
  }

  @Test
  void whatWasLostMustNotComeBack() {
    Model model = new Model(11).write(0, 50);
    model.sessions.begin(new long[] {10, 0}); // the store had lost all but 10, and was written on

    assertThat(kinds(model.check(Guarantee.PREFIX, model.done))).contains(Kind.GHOST);
  }

  private static List<Integer> slots(Model model) {
    List<Integer> slots = new ArrayList<>();
    for (int slot = 0; slot < model.plan.slots(); slot++) {
      if (model.values[0][slot] != null && model.values[0][slot].length > 40) {
        slots.add(slot);
      }
    }
    return slots;
  }
}
