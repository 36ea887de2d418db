package io.kvstadium.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a store, for health checks.
 *
 * @param state whether it can be used
 * @param failure the write that failed, if {@code state} is {@link State#FAILED}
 * @param openHandles how many snapshots, and cursors on the store itself, are open now
 * @param memory what the engine takes; {@code null} if the store cannot be asked any more
 */
public record StoreStatus(
    State state, @Nullable StadiumException failure, int openHandles, @Nullable Memory memory) {
  /** Whether a store can be used. */
  public enum State {
    /** It can be used. */
    OPEN,
    /**
     * A write failed halfway, so that further writes, or all calls, are refused: close the store
     * and open it again.
     */
    FAILED,
    /** It was closed, or its close is waiting for calls in progress. */
    CLOSED
  }

  /**
   * The memory that the engine of a store takes.
   *
   * @param budget what {@code memory=} in the URL gives it, in bytes; 0 if it is not given
   * @param parts what it holds now in bytes, by what for, as the engine itself counts it; empty if
   *     it does not. Of these {@link #PAGE_CACHE} is not the engine's but the operating system's
   */
  public record Memory(long budget, Map<String, Long> parts) {
    /**
     * Pages of files, at most this much, which the system takes back when others need the memory.
     */
    public static final String PAGE_CACHE = "page_cache";

    public Memory {
      parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
    }

    /** What it holds now, without the page cache. */
    public long used() {
      return parts.entrySet().stream()
          .filter(part -> !part.getKey().equals(PAGE_CACHE))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }
  }
}
