package io.kvstadium.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The memory that the engine of a store takes.
 *
 * @param budget what {@code memory=} in the URL gives it, in bytes; 0 if it is not given
 * @param parts what it holds now in bytes, by what for, as the engine itself counts it; empty if it
 *     does not. Of these {@link #PAGE_CACHE} is not the engine's but the operating system's
 */
public record StoreMemory(long budget, Map<String, Long> parts) {
  /** Pages of files, at most this much, which the system takes back when others need the memory. */
  public static final String PAGE_CACHE = "page_cache";

  public StoreMemory {
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
