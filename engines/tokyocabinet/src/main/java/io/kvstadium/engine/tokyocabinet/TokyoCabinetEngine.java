package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Limits;
import io.kvstadium.store.OptionSpec;
import io.kvstadium.store.OptionSpec.Scope;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.PathNames;
import io.kvstadium.store.spi.StoreConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tokyo Cabinet, as installed on the system. */
public final class TokyoCabinetEngine implements Engine {
  private static final Set<Capability> OF_BTREE =
      EnumSet.of(Capability.SCAN, Capability.ORDERED_SCAN);
  private static final Set<Capability> OF_WRITER =
      EnumSet.of(Capability.WRITE, Capability.BATCH, Capability.COMPACT);
  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.BATCH,
          Capability.READ_ONLY,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT,
          Capability.COMPACT);

  private static final Map<Durability, DurabilityMapping> DURABILITY =
      DurabilityMapping.levels(
          DurabilityMapping.none("no transaction for a single write: pages stay in the process"),
          DurabilityMapping.process(
              "each write a transaction, not synced", Evidence.argued("docs/durability.md")),
          DurabilityMapping.none(
                  "no transaction for a single write; type=hash maps 64 MB of the file")
              .byDefault());

  private static final EngineInfo INFO =
      new EngineInfo(
              "tokyocabinet",
              "Tokyo Cabinet",
              "1.4.48",
              "LGPL-2.1-or-later",
              "A B+ tree or a hash table in one file, in C, as installed on the system.",
              "No longer developed: 1.4.48 of 2012 is the last release; its author went on to Kyoto"
                  + " Cabinet and Tkrzw and recommends these. Distributions still carry it"
                  + " (https://dbmx.net/tokyocabinet/).",
              true,
              CAPABILITIES,
              new Limits(Scratch.MOST, 256 << 20),
              DURABILITY,
              List.of(
                  OptionSpec.choice(
                      "type",
                      Scope.STORE,
                      "btree",
                      List.of("btree", "hash"),
                      "how the file is organized: btree has ordered scans, hash none at all"),
                  OptionSpec.integer(
                      "buckets",
                      Scope.STORE,
                      "0",
                      0,
                      67_108_864,
                      "buckets of a new file's hash table, for type=hash 0.5 to 4 times the expected"
                          + " entries; 0 for the library's 131,071 (btree: 32,749 for its pages)"),
                  OptionSpec.integer(
                      "leaf_cache",
                      Scope.STORE,
                      "1024",
                      1,
                      1_000_000,
                      "how many leaves of a btree are kept in memory, of some 16 kB each"),
                  OptionSpec.size(
                      "map_size",
                      Scope.STORE,
                      "0",
                      "0",
                      "1t",
                      "how much of the file is mapped into memory: faster, but a full disk then kills"
                          + " the process (SIGBUS); at durability=engine-default the library's, 64m for"
                          + " type=hash")),
              List.of(
                  "Needs the system's library: on Debian or Ubuntu, apt install libtokyocabinet9. Works on"
                      + " Linux.",
                  "The library's transactions are of one file, so the store has one table and batches"
                      + " instead of several tables without.",
                  "More than process is not offered: even with the library's own syncs (BDBOTSYNC,"
                      + " HDBOTSYNC) a power cut can leave a file that does not open. Its log has no"
                      + " checksums, and is removed before what it undid is synced.",
                  "At none the file's pages are in the process: a kill loses writes and can leave a file"
                      + " that is damaged without being noticed.",
                  "A kill leaves store.tcb.wal or store.tch.wal behind, without which the file must not"
                      + " be moved or copied; opening, even read-only, then writes to the file.",
                  "The library itself maps the first 64 MB of a hash, which is faster, and no more of a"
                      + " btree than it must. Here that is so at engine-default only, since a full disk"
                      + " would kill the process; map_size=64m gives it at other levels. Files are large"
                      + " (TLARGE) and calls guarded by the library's mutex at engine-default too, which the"
                      + " library leaves to the caller.",
                  "Without checksums: bytes that the disk damaged are returned as they are, and may crash"
                      + " the process.",
                  "If there is no memory left, the library ends the process.",
                  "type=hash cannot list its entries: its only iterator loses its place when entries"
                      + " move.",
                  "A hash table does not grow its buckets on its own: compact() gives it two for each"
                      + " entry, and makes fragmented files small again. It needs room for a copy.",
                  "After a failed write, everything is refused until the store is opened again.",
                  "The transaction of a batch is kept in memory as a whole."))
          .asLegacy();

  /** For {@link java.util.ServiceLoader}. */
  public TokyoCabinetEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public @Nullable String unavailable() {
    return missing(Native.LIBRARY);
  }

  /** Why the library cannot be used here, or null if it can. */
  @SuppressWarnings(
      "restricted") // the same as Native, which can be initialized only if it is there
  static @Nullable String missing(String library) {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup(library, arena);
      return null;
    } catch (IllegalArgumentException _) {
      return library
          + " is not installed: on Debian or Ubuntu, apt install libtokyocabinet9; elsewhere on Linux"
          + " install Tokyo Cabinet 1.4 and have LD_LIBRARY_PATH name its directory";
    }
  }

  @Override
  public void check(StoreConfig config) {
    PathNames.forUtf8("tokyocabinet", config.directory());
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(config.directory().resolve("store.tcb"))
        || Files.exists(config.directory().resolve("store.tch"));
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    EnumSet<Capability> able = EnumSet.copyOf(CAPABILITIES);
    if (config.options().text("type").equals("hash")) {
      able.removeAll(OF_BTREE);
    }
    if (config.readOnly()) {
      able.removeAll(OF_WRITER);
    }
    return able;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return new TokyoCabinetStore(config, capabilities(config));
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return TokyoCabinetException.classify(config, thrown);
  }
}
