package io.kvstadium.engine.lmdb;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Evidence;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.Loss;
import io.kvstadium.store.engine.OptionSpec;
import io.kvstadium.store.engine.PathNames;
import io.kvstadium.store.engine.StoreConfig;
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
          Capability.ESTIMATED_COUNT,
          Capability.RESUME_AFTER_FULL);

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

  @Override
  public EngineStore<?> open(StoreConfig config) {
    StadiumException failure = NativeLibrary.loadingFailure();
    if (failure != null) {
      throw new StadiumException(String.valueOf(failure.getMessage()), failure);
    }
    return new LmdbStore(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return Failures.of(thrown, config.directory());
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    return capabilities(config.readOnly());
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
    return Declarations.options(LmdbEngine.class.getResourceAsStream("options.txt"));
  }

  private static List<String> notes() {
    return Declarations.notes(LmdbEngine.class.getResourceAsStream("notes.txt"));
  }
}
