package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Seeds;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.store.Durability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StadiumException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a trial's process does last, if it will be killed: it opens the store again and overwrites
 * keys one by one, so that the kill leaves logs to be read and buffers that were not written out.
 * The store stays open.
 */
final class LastWrites {
  /** More than any engine here buffers by default. */
  private static final long ENOUGH_BYTES = 128L << 20;

  private static final long ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int LOOKED_AT = 1_000;

  /** One in this many writes goes to a key that will be looked at. */
  private static final int WATCHED = 8;

  private static final int PROGRESS_EVERY = 256;

  private final TrialPlan plan;
  private final Engines engines;
  private final Consumer<Message> parent;

  LastWrites(TrialPlan plan, Engines engines, Consumer<Message> parent) {
    this.plan = plan;
    this.engines = engines;
    this.parent = parent;
  }

  /**
   * Writes to the store.
   *
   * @param population what the store holds; kept up to date
   */
  Message.Ready run(Workset workset, Population population) {
    try {
      Path directory = plan.storeDirectory("store");
      Target target = new Opening(engines).again(plan.configuration(), directory);
      return new Message.Ready(write(target, workset, population), null);
    } catch (StadiumException e) {
      return new Message.Ready(List.of(), String.valueOf(e.getMessage()));
    }
  }

  private List<Survivor> write(Target target, Workset workset, Population population) {
    Generations generations = population.generations();
    SplittableRandom random = new SplittableRandom(Seeds.derive(plan.seed(), "last writes"));
    long keys = population.loaded();
    int looks = (int) Math.min(LOOKED_AT, keys);
    long[] looked = new long[looks];
    int[] before = new int[looks];
    for (int look = 0; look < looks; look++) {
      looked[look] = keys / looks * look;
      before[look] = generations.get(looked[look]);
    }
    long begin = System.nanoTime();
    long bytes = 0;
    for (long n = 0; bytes < ENOUGH_BYTES && System.nanoTime() - begin < ENOUGH_NANOS; n++) {
      long i = n % WATCHED == 0 ? looked[random.nextInt(looks)] : random.nextLong(keys);
      int generation = Math.max(generations.get(i), 0) + 1;
      byte[] key = workset.key(i);
      byte[] value = workset.value(i, generation);
      target.put(key, value);
      generations.set(i, generation);
      bytes += key.length + value.length;
      if (n % PROGRESS_EVERY == 0) {
        parent.accept(new Message.Progress("writes before a kill", 0));
      }
    }
    boolean kept = keeps();
    List<Survivor> survivors = new ArrayList<>();
    for (int look = 0; look < looks; look++) {
      int newest = generations.get(looked[look]);
      survivors.add(new Survivor(looked[look], kept ? newest : before[look], newest));
    }
    return survivors;
  }

  /** Returns whether the level in force promises that what was acknowledged survives a kill. */
  private boolean keeps() {
    Durability asked = plan.configuration().durability();
    DurabilityMapping mapping =
        engines.engine(plan.configuration().engine()).info().durability().get(asked);
    @Nullable Durability effective = mapping == null ? null : mapping.effective();
    return effective != null
        && effective != Durability.ENGINE_DEFAULT
        && effective.compareTo(Durability.PROCESS) >= 0;
  }
}
