package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.machine.DeviceIo;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.Usage;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.WriteStalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records what a trial costs besides time while its phases run. It also makes sure that a phase
 * that only reads begins when the engine has no compaction left to do, as far as the engine reports
 * it. Used by one thread.
 */
public final class CostRecorder {
  /** The longest wait for an engine to settle, or this share of the trial so far. */
  private static final long MIN_TIMEOUT = TimeUnit.SECONDS.toNanos(60);

  private static final int TIMEOUT_SHARE = 10;

  private final Path directory;
  private final Workset workset;
  private final Population population;
  private final TrialTotals totals;
  private final Settling settling;
  private final Consumer<Message> parent;
  private final long begin = System.nanoTime();
  private final long writtenBefore;
  private final List<String> unstable = new ArrayList<>();
  private final List<CostCard.Stalled> stalls = new ArrayList<>();
  private boolean changed; // since the last wait
  private boolean deleted;
  private boolean inserted;
  private boolean replaced;
  private Settling.End end =
      Settling.End.STABLE; // of the last wait: without writes there is no debt
  private boolean reported;
  private long diskBytes = -1;
  private long liveBytes = -1;
  private long closedDiskBytes = -1;
  private long closedLiveBytes = -1;
  private long settleNanos;
  private long readBytes = -1;
  private long writtenBytes = -1;

  /**
   * Begins to count what the disk writes.
   *
   * @param directory of the store
   * @param parent is told of waits
   */
  public CostRecorder(
      Path directory,
      Workset workset,
      Population population,
      TrialTotals totals,
      Settling settling,
      Consumer<Message> parent) {
    this.directory = directory;
    this.workset = workset;
    this.population = population;
    this.totals = totals;
    this.settling = settling;
    this.parent = parent;
    this.writtenBefore = DeviceIo.written(directory.resolveSibling("."));
  }

  /**
   * Called when a phase is about to begin.
   *
   * @param background what the engine reports of the store as the phase before left it
   */
  public void before(PhaseSpec spec, Supplier<@Nullable BackgroundWork> background) {
    if (spec.operation() == Operation.DELETE && !deleted) {
      measure();
      deleted = true;
    }
    if (replaces(spec)) {
      measure();
    }
    if (spec.writes()) {
      return;
    }
    settle(background);
    if (end != Settling.End.STABLE) {
      unstable.add(spec.name());
    }
  }

  /** Called when a phase has ended. */
  public void after(PhaseSpec spec, Usage used) {
    changed |= spec.writes();
    inserted |= spec.operation() == Operation.INSERT;
    add(used);
  }

  /** Whether a phase replaces a store that was made by puts by one that is loaded in bulk. */
  public boolean replaces(PhaseSpec spec) {
    return spec.operation() == Operation.LOAD && inserted && !replaced;
  }

  /**
   * Called when the store is closed that is about to be replaced: the sizes are its own. Few
   * engines load in bulk, and they pack more densely then.
   */
  public void replaced() {
    closed();
    replaced = true;
  }

  /**
   * Called when a phase has ended that writes.
   *
   * @param nanos how long it took
   * @param before the engine's count before it, or {@code null} if it has none
   */
  void stalled(
      PhaseSpec spec, long nanos, @Nullable WriteStalls before, @Nullable WriteStalls after) {
    if (before != null && after != null) {
      WriteStalls own = after.since(before);
      if (!own.causes().isEmpty()) {
        stalls.add(new CostCard.Stalled(spec.name(), nanos, own.nanos(), own.causes()));
      }
    }
  }

  /** Adds what something other than a phase read from the device. */
  void add(Usage used) {
    if (used.readBytes() >= 0) {
      readBytes = Math.max(0, readBytes) + used.readBytes();
    }
  }

  /** Waits for the engine, if something was written since it was last waited for. */
  public void settle(Supplier<@Nullable BackgroundWork> background) {
    if (!changed) {
      return;
    }
    measure();
    Usage before = Usage.now();
    long timeout = Math.max(MIN_TIMEOUT, (System.nanoTime() - begin) / TIMEOUT_SHARE);
    Settling.Outcome outcome =
        settling.await(
            background,
            timeout,
            () -> parent.accept(new Message.Progress("waiting for compaction", 0)));
    end = outcome.end();
    settleNanos += outcome.nanos();
    changed = false;
    if (end != Settling.End.UNKNOWN) {
      reported = true;
    }
    add(Usage.now().since(before));
  }

  /** Measures the size after the last write so far, unless something was deleted. */
  private void measure() {
    if (!deleted && !replaced && (changed || diskBytes < 0)) {
      diskBytes = DiskUsage.of(directory);
      liveBytes = population.liveBytes(workset);
    }
  }

  /**
   * Called when the store is closed: what it held in memory is now in files. A store that is empty
   * in the end says nothing about the size of a full one.
   */
  public void closed() {
    long live = population.liveBytes(workset);
    if (!replaced && (live != 0 || closedDiskBytes < 0)) {
      closedDiskBytes = DiskUsage.of(directory);
      closedLiveBytes = live;
    }
  }

  /** Called when it is closed after the last phase. */
  public void ended() {
    closed();
    writtenBytes = written();
  }

  /**
   * What the disk has written since the beginning, now that nothing is left to be written; -1 if
   * that is unknown. It is the disk's own count, which includes what others write meanwhile, so the
   * machine must be quiet.
   */
  private long written() {
    if (writtenBefore < 0 || !Files.isDirectory(directory)) {
      return -1;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        parent.accept(new Message.Progress("sync", 0));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
          channel.force(true);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      return -1; // one figure less: the store itself has closed without complaint
    }
    long after = DeviceIo.written(directory);
    return after < 0 ? -1 : after - writtenBefore;
  }

  /** Returns the card, except for what only the parent can know. */
  public CostCard card() {
    measure();
    return new CostCard(
        new CostCard.Sizes(diskBytes, liveBytes, closedDiskBytes, closedLiveBytes),
        new CostCard.Settling(
            reported ? settleNanos : -1, reported && end == Settling.End.STABLE, unstable),
        new CostCard.Memory(totals.anonymous(), totals.file(), -1),
        new CostCard.Traffic(readBytes, writtenBytes, totals.moved()),
        stalls);
  }
}
