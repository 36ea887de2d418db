package io.kvstadium.bench.data;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Path;
import java.util.Map;

/**
 * Indexes a file in a separate process and prints what it found: {@code count duplicates}, and on
 * the error stream time and peak heap. Takes a path, and {@code small} or {@code usual}.
 */
final class DatasetProbe {
  private DatasetProbe() {}

  public static void main(String[] args) {
    var limits =
        args[1].equals("small")
            ? new DatasetIndex.Limits(1000, 1 << 20, 10_000)
            : DatasetIndex.Limits.DEFAULT;
    long start = System.nanoTime();
    EntryFile dataset = EntryFile.open(Path.of(args[0]));
    DatasetIndex index = DatasetIndex.build(dataset, limits, 1);
    long millis = (System.nanoTime() - start) / 1_000_000;
    Map<String, Object> shape = new DatasetWorkset(dataset, index).describe();
    Object duplicates = shape.getOrDefault("duplicates", shape.get("duplicates, at least"));
    System.out.println(index.count() + " " + duplicates);
    long peak = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == java.lang.management.MemoryType.HEAP) {
        peak += pool.getPeakUsage().getUsed();
      }
    }
    System.err.println(
        millis + " ms, sum of the pools' peaks " + (peak >> 20) + " MiB, " + index.findings());
    System.err.println(shape);
  }
}
