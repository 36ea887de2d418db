package io.kvstadium.torture;

import io.kvstadium.store.StoreUrl;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Options that make a store do more in less time (smaller buffers, more files, checkpoints) or work
 * differently, without changing what it guarantees. They may differ each time a store is opened.
 */
final class Variations {
  private static final List<String> ROCKSDB =
      List.of(
          "write_buffer_size=128k",
          "max_total_wal_size=256k",
          "wal_bytes_per_sync=16k",
          "bytes_per_sync=16k",
          "enable_pipelined_write=true",
          "disable_auto_compactions=true",
          "enable_blob_files=true");

  private static final Map<String, List<String>> BY_ENGINE =
      Map.of(
          "rocksdb", ROCKSDB,
          "speedb", ROCKSDB,
          "sqlite", List.of("wal_autocheckpoint=10", "cache_size=64k", "mmap_size=64m"),
          "lmdb", List.of("no_readahead=true"),
          "berkeleydb", List.of("log_file_size=1m", "cache_mode=evict_bin"),
          "h2", List.of("cache_size=1m", "max_compact_time=0ms"),
          "mvstore", List.of("page_split_size=1k", "retention_time=0s", "cache_size=1m"),
          "xodus", List.of("cache_size=1m"));

  private Variations() {}

  /** In half of the cases, the URL with some more options; those that it has stay. */
  static StoreUrl of(StoreUrl url, SplittableRandom random) {
    StoreUrl varied = url;
    if (random.nextBoolean()) {
      for (String option : BY_ENGINE.getOrDefault(url.engine(), List.of())) {
        String[] parts = option.split("=", 2);
        if (random.nextInt(3) == 0 && !url.options().containsKey(parts[0])) {
          varied = varied.with(parts[0], parts[1]);
        }
      }
    }
    return varied;
  }
}
