package io.kvstadium.torture.check;

import io.kvstadium.torture.check.Finding.Kind;
import io.kvstadium.torture.check.Operation.Change;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares what is there with what may be there. For each writer it looks for a number of
 * operations after which its places would be exactly as found. Across writers, an operation demands
 * those that were acknowledged before it began.
 *
 * @param acknowledged for each writer, how many operations were acknowledged before the fault
 * @param begun for each writer, how many may have begun
 * @param synced for each writer, how many were acknowledged before a sync that returned
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Checker(
    Plan plan, Guarantee guarantee, long[] acknowledged, long[] begun, long[] synced) {

  /**
   * What was found.
   *
   * @param present for each writer, how many operations are there
   * @param findings in no order; also where nothing is promised
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Verdict(long[] present, List<Finding> findings) {}

  /** How a writer's places agree with its first operations. */
  private record Agreement(long count, @Nullable Finding finding) {}

  public Verdict check(Reading reading) {
    List<Finding> findings = new ArrayList<>(reading.findings());
    long[] present = new long[plan.writers()];
    for (int writer = 0; writer < plan.writers(); writer++) {
      Agreement agreement = agreement(writer, reading.numbers(writer));
      present[writer] = agreement.count();
      if (agreement.finding() != null) {
        findings.add(agreement.finding());
      }
    }
    if (findings.isEmpty()) {
      for (int writer = 0; writer < plan.writers(); writer++) {
        lost(writer, present[writer], findings);
        order(writer, reading.contents(writer), present, findings);
      }
    }
    return new Verdict(present, findings);
  }

  private void lost(int writer, long present, List<Finding> findings) {
    if (guarantee == Guarantee.ALL && present < acknowledged[writer]) {
      findings.add(
          new Finding(
              Kind.LOST_ACK,
              "of writer "
                  + writer
                  + "'s "
                  + acknowledged[writer]
                  + " acknowledged operations, the last "
                  + (acknowledged[writer] - present)
                  + " are missing"));
    } else if (guarantee != Guarantee.NOTHING && present < synced[writer]) {
      findings.add(
          new Finding(
              Kind.LOST_ACK,
              "of writer "
                  + writer
                  + "'s "
                  + synced[writer]
                  + " operations before a sync() that returned, the last "
                  + (synced[writer] - present)
                  + " are missing"));
    }
  }

  private void order(
      int writer, @Nullable Content[] contents, long[] present, List<Finding> findings) {
    for (Content content : contents) {
      if (content == null || content.number() >= present[writer]) {
        continue; // nothing there, or a part of a load that had not returned
      }
      for (int other = 0; other < plan.writers(); other++) {
        if (content.seen()[other] > present[other]) {
          findings.add(
              new Finding(
                  Kind.NOT_A_PREFIX,
                  "writer "
                      + writer
                      + "'s operation "
                      + content.number()
                      + " is there, but of writer "
                      + other
                      + "'s "
                      + content.seen()[other]
                      + " that were acknowledged before it began, only "
                      + present[other]));
          return;
        }
      }
    }
  }

  /** Replays the plan, and counts the places that differ. */
  private Agreement agreement(int writer, long[] actual) {
    long[] model = new long[plan.slots()];
    Arrays.fill(model, Reading.ABSENT);
    int different = 0;
    for (long number : actual) {
      different += number == Reading.ABSENT ? 0 : 1;
    }
    long best = different == 0 ? 0 : -1;
    long torn = -1;
    long nearest = 0;
    int fewest = different;
    for (long n = 0; n < begun[writer]; n++) {
      Operation operation = plan.operation(writer, n);
      int before = 0;
      int after = 0;
      boolean partial = true;
      for (Change change : operation.changes()) {
        long is = actual[change.slot()];
        long was = model[change.slot()];
        long becomes = change.deletes() ? Reading.ABSENT : n;
        before += is == was ? 0 : 1;
        after += is == becomes ? 0 : 1;
        partial &= is == was || is == becomes;
        model[change.slot()] = becomes;
      }
      if (different == before && partial) { // all other places agree
        if (operation.kind() == Operation.Kind.LOAD) {
          best = n;
        } else if (before > 0 && after > 0) {
          torn = n;
        }
      }
      different += after - before;
      if (different == 0) {
        best = n + 1;
      }
      if (different < fewest) {
        fewest = different;
        nearest = n + 1;
      }
    }
    if (best >= 0) {
      return new Agreement(best, null);
    }
    if (torn >= 0) {
      return new Agreement(
          torn,
          new Finding(
              Kind.TORN_BATCH,
              "of writer "
                  + writer
                  + "'s operation "
                  + torn
                  + " ("
                  + plan.operation(writer, torn)
                  + "), only a part is there"));
    }
    return new Agreement(
        nearest,
        new Finding(
            Kind.NOT_A_PREFIX,
            "writer "
                + writer
                + "'s places match no prefix of its "
                + begun[writer]
                + " operations; after "
                + nearest
                + " only "
                + fewest
                + " would differ, such as "
                + example(writer, nearest, actual)));
  }

  private String example(int writer, long count, long[] actual) {
    long[] model = new long[plan.slots()];
    Arrays.fill(model, Reading.ABSENT);
    for (long n = 0; n < count; n++) {
      for (Change change : plan.operation(writer, n).changes()) {
        model[change.slot()] = change.deletes() ? Reading.ABSENT : n;
      }
    }
    for (int slot = 0; slot < actual.length; slot++) {
      if (model[slot] != actual[slot]) {
        return Reading.place(writer, slot)
            + ", which holds "
            + words(actual[slot])
            + " instead of "
            + words(model[slot]);
      }
    }
    return "none";
  }

  private static String words(long number) {
    return number == Reading.ABSENT
        ? "nothing"
        : number == Reading.WRONG ? "something else" : "operation " + number;
  }
}
