package io.kvstadium.bench.run;

import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.store.BadArgumentException;
import java.util.List;

/**
 * What a trial's process gets.
 *
 * @param heap of its virtual machine in bytes
 * @param memory limit of all that it uses, page cache included, in bytes; 0 for none
 */
public record Resources(long heap, long memory) {
  /** A virtual machine with the smallest heap, its code and the harness need about this. */
  static final long MIN_MEMORY = 128L << 20;

  /** Returns a heap without a memory limit. */
  static Resources unlimited(long heap) {
    return new Resources(heap, 0);
  }

  /**
   * Returns a heap that leaves at least half of the limit to what is outside it: an engine's own
   * caches, the page cache, code and stacks.
   *
   * @param memory limit in bytes; 0 for none
   * @throws BadArgumentException if that is too little for a virtual machine
   */
  public static Resources of(long heap, long memory) {
    if (memory == 0) {
      return unlimited(heap);
    }
    if (memory < MIN_MEMORY) {
      boolean withoutUnit = memory < 1 << 20;
      throw new BadArgumentException(
          "a memory limit of "
              + (withoutUnit ? memory + " bytes" : (memory >> 20) + " MiB")
              + " is too little for a virtual machine: give at least "
              + (MIN_MEMORY >> 20)
              + "m"
              + (withoutUnit ? " (did you mean " + memory + "m?)" : ""));
    }
    return new Resources(Math.min(heap, memory / 2), memory);
  }

  /** Returns what the limit leaves for everything but the heap, in bytes; 0 without a limit. */
  long outsideHeap() {
    return memory == 0 ? 0 : memory - heap;
  }

  /** Returns what a reader must know about it. */
  List<Finding> findings(long suitesHeap) {
    if (memory == 0) {
      return List.of();
    }
    String limit =
        "every trial had "
            + (memory >> 20)
            + " MiB of memory, page cache included, and a heap of "
            + (heap >> 20)
            + " MiB";
    return List.of(
        new Finding(
            Level.NOTE,
            "environment",
            heap < suitesHeap
                ? limit + " instead of the suite's " + (suitesHeap >> 20) + " MiB, to leave room"
                : limit));
  }
}
