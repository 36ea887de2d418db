package io.kvstadium.torture;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.torture.check.Guarantee;
import io.kvstadium.torture.fault.DiskFormat;
import io.kvstadium.torture.fault.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a torture run.
 *
 * @param url of the stores; its location, if it has one, is the directory of the run
 * @param levels each is tested separately; the engine must support it
 * @param held checks by this level instead of the store's own, to test the checker; or {@code null}
 * @param faults each is tested separately
 * @param format under power cuts; {@code null} for a random available one
 * @param rounds for each level and fault
 * @param threads that write at once
 * @param seed of all that is random
 * @param repeats whether the seed is that of a sequence, which is repeated until it breaks its
 *     guarantee
 */
public record Settings(
    StoreUrl url,
    List<Durability> levels,
    @Nullable Durability held,
    List<Fault> faults,
    @Nullable DiskFormat format,
    int rounds,
    int threads,
    long seed,
    boolean repeats) {
  private static final Pattern REPLAY =
      Pattern.compile(
          "(?<url>\\S+) level=(?<level>\\S+) held=(?<held>\\S+) fault=(?<fault>\\S+)"
              + "(?: fs=(?<fs>\\S+))?"
              + " threads=(?<threads>\\d{1,4}) seed=(?<seed>-?\\d{1,18}\\d?) rounds=(?<rounds>\\d{1,7})");

  /** Engines that do so for every store in a directory. */
  private static final Set<String> SERVED = Set.of("mysql", "postgresql");

  static final int MOST_THREADS = 16;
  static final int MOST_ROUNDS = 1_000_000;

  public Settings {
    levels = List.copyOf(levels);
    faults = List.copyOf(faults);
    if (rounds < 1 || rounds > MOST_ROUNDS) {
      throw new BadArgumentException(
          "--rounds " + rounds + ": give a number from 1 to " + MOST_ROUNDS);
    }
    if (threads < 1 || threads > MOST_THREADS) {
      throw new BadArgumentException(
          "--threads " + threads + ": give a number from 1 to " + MOST_THREADS);
    }
  }

  /** The line that repeats a sequence, for {@link #replaying}. */
  String replay(Durability level, Fault fault, String fileSystem, long chainSeed, int chainRounds) {
    return "%s level=%s held=%s fault=%s%s threads=%d seed=%d rounds=%d"
        .formatted(
            unplaced(),
            level.word(),
            (held == null ? level : held).word(),
            fault.word(),
            fileSystem.isEmpty() ? "" : " fs=" + fileSystem,
            threads,
            chainSeed,
            chainRounds);
  }

  /**
   * The settings of a line that was printed with a finding.
   *
   * @throws BadArgumentException if it is not such a line
   */
  public static Settings replaying(String line) {
    Matcher matcher = REPLAY.matcher(line.strip());
    if (!matcher.matches()) {
      throw new BadArgumentException(
          "'" + line + "' is not a line to replay: give the whole line printed with a finding");
    }
    return new Settings(
        StoreUrl.parse(matcher.group("url")),
        List.of(Durability.of(matcher.group("level"))),
        Durability.of(matcher.group("held")),
        List.of(Fault.of(matcher.group("fault"))),
        matcher.group("fs") == null ? null : DiskFormat.of(matcher.group("fs")),
        Integer.parseInt(matcher.group("rounds")),
        Integer.parseInt(matcher.group("threads")),
        Long.parseLong(matcher.group("seed")),
        true);
  }

  /** What is demanded; with a level to hold the store to, even under lying flushes. */
  Guarantee guarantee(Durability level, Fault fault) {
    return held == null
        ? fault.guarantee(level)
        : (fault == Fault.LIE ? Fault.SECTOR : fault).guarantee(held);
  }

  /**
   * The file systems that a fault may be on.
   *
   * @throws BadArgumentException if the requested one is not available here
   */
  List<DiskFormat> formats(Fault fault) {
    if (fault != Fault.POWER) {
      return List.of();
    }
    return DiskFormat.wanted(format);
  }

  /** The URL without the directory that it may name. */
  public StoreUrl unplaced() {
    return new StoreUrl(url.engine(), "", url.options());
  }

  /** Whether the engine starts its own server for the stores. */
  boolean hasServer() {
    return SERVED.contains(url.engine());
  }

  /** The directory that the URL names, or {@code null} for a temporary one. */
  @Nullable Path place() {
    String location = url.location();
    return location.isEmpty() ? null : Path.of(location);
  }

  /** The URL of a store in a directory. */
  StoreUrl in(Path directory, Durability level) {
    StoreUrl leveled = url.with("durability", level.word());
    return new StoreUrl(url.engine(), directory.toString(), leveled.options());
  }
}
