package io.kvstadium.engine.lmdb;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Limits;
import io.kvstadium.store.Loss;
import io.kvstadium.store.OptionSpec;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.PathNames;
import io.kvstadium.store.spi.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** LMDB through lmdbjava. */
public final class LmdbEngine implements Engine {
  private static final String NAME = "lmdb";

  private static final String FILE = "data.mdb";
  private static final String MANUAL = "http://www.lmdb.tech/doc/group__mdb__env.html";

  /** LMDB's compiled-in limit. */
  private static final int MAX_KEY_BYTES = 511;

  private static final Set<Capability> READS =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.SNAPSHOT,
          Capability.BACKUP,
          Capability.READ_ONLY,
          Capability.ADOPT,
          Capability.CONCURRENT_READ_ONLY,
          Capability.ESTIMATED_COUNT);

  private static final Set<Capability> WRITES =
      EnumSet.of(
          Capability.WRITE,
          Capability.BULK_LOAD,
          Capability.BATCH,
          Capability.RANGE_DELETE,
          Capability.PESSIMISTIC_TRANSACTION,
          Capability.SERIALIZABLE_SCANS);

  /** For {@link java.util.ServiceLoader}. */
  public LmdbEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        NAME,
        "LMDB",
        "0.9.33 (lmdbjava 0.9.3)",
        "OLDAP-2.8",
        "A B+ tree in one memory-mapped file: reads without copying, one writer at a time.",
        "Maintained by Symas as part of OpenLDAP; releases are rare and small, by design"
            + " (https://www.symas.com/lmdb).",
        true,
        capabilities(false),
        new Limits(MAX_KEY_BYTES, Limits.MAX_ARRAY),
        durability(),
        options(),
        notes());
  }

  @Override
  public @Nullable String unavailable() {
    StadiumException failure = NativeLibrary.loadingFailure();
    return failure == null ? null : failure.getMessage();
  }

  @Override
  public boolean exists(StoreConfig config) {
    Path place = config.directory();
    return Files.exists(place.resolve(FILE)) || (config.adopt() && Files.isRegularFile(place));
  }

  @Override
  public void check(StoreConfig config) {
    PathNames.forUtf8(NAME, config.directory());
    if (config.adopt() && config.directory().endsWith(FILE)) {
      throw new BadArgumentException(
          "%s:%s: %s is the file in an LMDB environment's directory: name the directory"
              .formatted(NAME, config.location(), FILE));
    }
  }

  /** LMDB would lose its locks on the file when the first of several environments is closed. */
  @Override
  public boolean opensTwiceInOneProcess() {
    return false;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    StadiumException failure = NativeLibrary.loadingFailure();
    if (failure != null) {
      throw new StadiumException(String.valueOf(failure.getMessage()), failure);
    }
    return new LmdbStore(config, capabilities(config.readOnly()));
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return Failures.of(thrown, config.directory());
  }

  private static Set<Capability> capabilities(boolean readOnly) {
    EnumSet<Capability> all = EnumSet.copyOf(READS);
    if (!readOnly) {
      all.addAll(WRITES);
    }
    return all;
  }

  /**
   * NOMETASYNC gives {@code consistent}: a commit writes the transaction's pages, flushes the file,
   * then writes one of two meta pages in turn; this flag only omits the flush after the meta page.
   * The next commit's flush makes that meta page durable before it overwrites the other one, and
   * pages are reused only if neither of the two latest meta pages refers to them. So after a power
   * cut the older or the newer meta page is valid with all of its pages: a prefix that lacks at
   * most the last transaction. With NOSYNC the kernel may write a meta page before its pages, which
   * leaves no prefix and perhaps no readable file.
   */
  private static Map<Durability, DurabilityMapping> durability() {
    DurabilityMapping synced =
        DurabilityMapping.power("no flags: flush twice a commit", Evidence.documented(MANUAL));
    return DurabilityMapping.levels(
        DurabilityMapping.process("MDB_NOSYNC", Evidence.documented(MANUAL)),
        DurabilityMapping.consistent(
            "MDB_NOMETASYNC", Loss.ONE_COMMIT, Evidence.documented(MANUAL)),
        synced,
        synced.byDefault());
  }

  private static List<OptionSpec> options() {
    return List.of(
        OptionSpec.size(
            "map_size",
            OptionSpec.Scope.STORE,
            "",
            "64k",
            "64t",
            "address space reserved for the file, its limit; by default 1t, or 1g on"
                + " Windows and with write_map"),
        OptionSpec.integer(
            "max_tables",
            OptionSpec.Scope.STORE,
            "256",
            1,
            100_000,
            "how many tables the store can have open"),
        OptionSpec.integer(
            "max_readers",
            OptionSpec.Scope.STORE,
            "1024",
            1,
            100_000,
            "how many reads, cursors and snapshots can be open at once; more wait, up to 10 s"),
        OptionSpec.bool(
            "no_readahead",
            OptionSpec.Scope.STORE,
            "false",
            "no read-ahead by the system: for random reads of more data than memory"),
        OptionSpec.bool(
            "write_map",
            OptionSpec.Scope.STORE,
            "false",
            "write through the map: fewer copies, but a full disk then kills the process (SIGBUS)"));
  }

  private static List<String> notes() {
    return List.of(
        "One writer at a time: a transaction holds back every other write from start to end.",
        "A long-lived snapshot or cursor keeps every page that was replaced since, so the file grows.",
        "The file never shrinks: deleted entries leave pages for later writes. To make it smaller, copy"
            + " it with mdb_copy -c.",
        "Durability consistent flushes the file at every commit as power does and omits only the"
            + " second flush: a power cut can undo the last commit, never more. Write in batches.",
        "Durability process can leave a file after a power cut that cannot be opened, or whose reader is"
            + " killed by SIGBUS.",
        "A store is full when its file is as large as map_size: open it again with a larger one."
            + " The default of 1t costs address space only.",
        "A backup is LMDB's compacting copy: as large as its data, and stored in full each time"
            + " unless nothing was changed. Meanwhile replaced pages are kept, as for a snapshot.",
        "After a full disk, free space and open the store again: until then it is read-only.",
        "Without checksums: bytes that the disk damaged are returned as they are, or end a walk early.",
        "Other processes of the same machine can read beside a writer (read_only=true): each read"
            + " sees the last commit, tables that are made later included. They share one table of"
            + " readers, whose size is max_readers of the first process. What a killed process was"
            + " reading is released by the writer's writes after at most a second.",
        "Never use it on a network file system, or twice in a process: its locks would fail. The"
            + " library refuses the second open.",
        "Keys have 1 to 511 bytes. Values above about 2 kB take whole pages of 4 kB.",
        "Adopted (adopt=true): the location is the environment's directory, or its file if that"
            + " was made with MDB_NOSUBDIR. Named databases are tables of their names, the unnamed"
            + " one is table default; to find them, the unnamed one is read through once, at the"
            + " open. Keys that are not in the order of their bytes (MDB_INTEGERKEY,"
            + " MDB_REVERSEKEY) have no ranges; MDB_DUPSORT is refused. Only databases that were"
            + " there at the open are seen. LMDB makes its lock file if there is none.",
        "In a transaction lent values are copies; elsewhere they are the map itself.");
  }
}
