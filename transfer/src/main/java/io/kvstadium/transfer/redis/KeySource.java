package io.kvstadium.transfer.redis;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keys that are imported. Belongs to one thread. */
public abstract sealed class KeySource implements AutoCloseable permits RdbFile, RedisSource {
  /** The expiry of a key that does not expire. */
  public static final long FOREVER = Long.MAX_VALUE;

  private final Map<String, Long> leftOut = new TreeMap<>();

  /**
   * A key.
   *
   * @param expiry Unix time in milliseconds, or {@link #FOREVER}
   * @param content what it holds now, whatever it held before; {@code null} for nothing
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Item(int database, byte[] key, long expiry, @Nullable Content content) {}

  /** The next key, or {@code null} at the end. */
  public abstract @Nullable Item next();

  /**
   * How many keys have changed since they were read last; to be asked once all are read, and the
   * store is verified. Negative if that is not known.
   */
  public long changedSince() {
    return 0;
  }

  /** What should be known of them, in sentences. */
  public List<String> remarks() {
    return List.of();
  }

  /** Something was left out. */
  final void leave(String what) {
    leftOut.merge(what, 1L, Long::sum);
  }

  /** What was left out, in the plural, and how often. */
  public final Map<String, Long> leftOut() {
    return leftOut;
  }

  @Override
  public abstract void close();
}
