package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StadiumException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store whose process was killed, in a separate process, and checks whether its entries are
 * there.
 *
 * <p>The time is that of the first such opening in this process, with its recovery. A different,
 * small store was opened, written, closed and reopened before, so that loading classes and native
 * libraries does not count. Code is not yet compiled, as in any program that begins by opening its
 * store. The files are still in the page cache, as they were when the process was killed.
 */
final class AfterKill {
  private static final int PROGRESS_EVERY = 100;
  private static final byte[] SMALL = "small".getBytes(StandardCharsets.US_ASCII);

  private final TrialPlan plan;
  private final Opening opening;
  private final Consumer<Message> parent;

  AfterKill(TrialPlan plan, Engines engines, Consumer<Message> parent) {
    this.plan = plan;
    this.opening = new Opening(engines);
    this.parent = parent;
  }

  Message.Reopened run(Workset workset, List<Survivor> survivors) {
    parent.accept(new Message.Progress("open after a kill", 0));
    try {
      openAnother();
    } catch (StadiumException e) {
      return failed("after a kill, another store could not be opened: " + e.getMessage());
    }
    Target target;
    long begin = System.nanoTime();
    try {
      target = opening.again(plan.configuration(), plan.storeDirectory("store"));
    } catch (StadiumException e) {
      return failed("after a kill, the store could not be opened: " + e.getMessage());
    }
    long nanos = System.nanoTime() - begin;
    try (target) {
      String wrong = check(target, workset, survivors);
      return wrong == null ? new Message.Reopened(nanos, null) : failed(wrong);
    } catch (StadiumException e) {
      return failed("after a kill, the store could not be read: " + e.getMessage());
    }
  }

  private static Message.Reopened failed(String why) {
    return new Message.Reopened(-1, why);
  }

  private void openAnother() {
    Configuration configuration = plan.configuration();
    Path directory = plan.storeDirectory("small");
    for (int round = 0; round < 2; round++) {
      try (Target small = opening.target(configuration, directory)) {
        small.put(SMALL, SMALL);
        small.get(SMALL);
      }
    }
    opening.destroy(configuration, directory);
  }

  /** Returns what was lost, or {@code null}. */
  private @Nullable String check(Target target, Workset workset, List<Survivor> survivors) {
    int lost = 0;
    String first = null;
    for (int n = 0; n < survivors.size(); n++) {
      Survivor each = survivors.get(n);
      byte[] value = target.get(workset.key(each.index()));
      if (!survived(workset, each, value)) {
        lost++;
        first =
            first != null
                ? first
                : "key number "
                    + each.index()
                    + (value == null
                        ? " is missing"
                        : " has other bytes than any that it could have");
      }
      if (n % PROGRESS_EVERY == 0) {
        parent.accept(new Message.Progress("open after a kill", (double) n / survivors.size()));
      }
    }
    return first == null
        ? null
        : "after a kill, "
            + lost
            + " of "
            + survivors.size()
            + " keys that were looked at are wrong: "
            + first;
  }

  static boolean survived(Workset workset, Survivor survivor, byte @Nullable [] value) {
    if (value == null) {
      return survivor.oldest() == Generations.DELETED;
    }
    return survivor.newest() != Generations.DELETED
        && workset.matchesAny(
            survivor.index(),
            // a key that was not there cannot have the first value
            survivor.oldest() == Generations.DELETED ? 1 : survivor.oldest(),
            survivor.newest(),
            value);
  }
}
