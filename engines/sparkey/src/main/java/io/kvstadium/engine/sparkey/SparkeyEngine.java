package io.kvstadium.engine.sparkey;

import io.kvstadium.store.Capability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Limits;
import io.kvstadium.store.OptionSpec;
import io.kvstadium.store.OptionSpec.Scope;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sparkey in Java: constant files that are loaded in one go and then read. */
public final class SparkeyEngine implements Engine {
  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.BULK_LOAD,
          Capability.SCAN,
          Capability.TABLES,
          Capability.SNAPSHOT,
          Capability.BACKUP,
          Capability.READ_ONLY,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT);

  /**
   * Sparkey's own is 2 GiB; a reader keeps a buffer for the longest key, a pool has many readers.
   */
  private static final int MAX_KEY_BYTES = 1 << 20;

  private static final Evidence CODE = Evidence.argued("docs/durability.md");

  private static final DurabilityMapping UNFLUSHED =
      DurabilityMapping.process("log and index are written and renamed, and never flushed", CODE);

  private static final List<OptionSpec> OPTIONS =
      List.of(
          OptionSpec.choice(
              "compression",
              Scope.TABLE,
              "none",
              List.of("none", "snappy", "zstd"),
              "how blocks of later loads are compressed; each get then decompresses one"),
          OptionSpec.size(
              "block_size",
              Scope.TABLE,
              "4k",
              "1k",
              "16m",
              "bytes of a compressed block, from 1k to 16m"),
          OptionSpec.choice(
              "hash_size",
              Scope.TABLE,
              "",
              List.of("32", "64"),
              "bits of a hash in the index; by default 32 below 8,388,608 entries"),
          OptionSpec.decimal(
              "hash_sparsity",
              Scope.TABLE,
              "1.3",
              "1.3",
              "100",
              "slots of the index per entry, at least 1.3; more make misses cheaper"),
          OptionSpec.size(
              "build_memory",
              Scope.TABLE,
              "",
              "1m",
              "1t",
              "heap for building an index; a larger one is sorted in files under java.io.tmpdir;"
                  + " by default half of what is free"));

  private static final EngineInfo INFO =
      new EngineInfo(
          "sparkey",
          "Sparkey",
          "3.2.5",
          "Apache-2.0",
          "Constant tables: a log and a hash table over it, loaded in one go and read through mmap.",
          "Written and maintained by Spotify, with releases up to 3.7.0 in 2026; 3.2.5 is used"
              + " here, the newest available from Maven Central"
              + " (https://github.com/spotify/sparkey-java).",
          true,
          CAPABILITIES,
          new Limits(MAX_KEY_BYTES, Limits.MAX_ARRAY),
          DurabilityMapping.levels(
              UNFLUSHED,
              DurabilityMapping.power(
                  "log and index are flushed, renamed, and the directory is flushed before load"
                      + " returns",
                  CODE),
              UNFLUSHED.byDefault()),
          OPTIONS,
          List.of(
              "Versions after 3.2.5 read by MemorySegment on Java 22 and newer; Sparkey's own"
                  + " figures for that, with values that are not compressed, are 5 % with one"
                  + " thread and 38 % with eight.",
              "Entries come by load() only: there is no put and no delete.",
              "A load is atomic: after the process was killed a table is as it was before or after"
                  + " the load, never in between; after a power cut only at process and power. At"
                  + " none and engine-default the new files are renamed without a flush, and a"
                  + " power cut may leave the new names with files that are empty or incomplete.",
              "Each load into a table that has entries rewrites the whole table, and needs room for"
                  + " it beside the old one (twice where keys repeat), so load a lot at once.",
              "Scans visit entries in the order in which they were loaded, the replaced ones last.",
              "Files are mapped, so another program that truncates them while the store is open"
                  + " makes reads fail; nothing checks their content, since Sparkey has no"
                  + " checksums.",
              "An old state's files stay until the last snapshot or cursor on it is closed.",
              "The index is built in the heap, 11 to 21 bytes per entry at the default sparsity; if"
                  + " build_memory does not allow that, it is sorted in temporary files.",
              "snappy and zstd unpack a native library into the temporary directory when first used."));

  /** For {@link java.util.ServiceLoader}. */
  public SparkeyEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) throws IOException {
    return new Layout(config.directory()).holdsStore();
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws IOException {
    blockSize(config.options());
    return new SparkeyStore(config, CAPABILITIES);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return DamageException.classify(thrown);
  }

  /** The option's value, checked. */
  static int blockSize(Options options) {
    return (int) options.size("block_size");
  }
}
