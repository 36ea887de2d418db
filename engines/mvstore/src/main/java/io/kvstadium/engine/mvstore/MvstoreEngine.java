package io.kvstadium.engine.mvstore;

import io.kvstadium.engine.h2file.ChecksummedFilePath;
import io.kvstadium.store.Capability;
import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Evidence;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.StoreConfig;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Set;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/** MVStore, the storage below the H2 database, used without SQL. */
public final class MvstoreEngine implements Engine {
  static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.BATCH,
          Capability.SNAPSHOT,
          Capability.BACKUP,
          Capability.READ_ONLY,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT,
          Capability.COMPACT);

  /** A commit is written as one piece, which is assembled on the heap. */
  private static final Limits LIMITS = new Limits(1 << 20, 1 << 28);

  private static final DurabilityMapping DELAYED =
      DurabilityMapping.none(
          "changes are saved by MVStore's background thread after auto_commit_delay (1 s), or when"
              + " its buffer is full");

  private static final EngineInfo INFO =
      new EngineInfo(
          "mvstore",
          "H2 MVStore",
          "2.4.240",
          "MPL-2.0 OR EPL-1.0",
          "The log-structured store of persistent B-trees below the H2 database, without its SQL.",
          "Maintained with the H2 database by a small group of volunteers; about one release a year"
              + " (https://h2database.com).",
          true,
          CAPABILITIES,
          LIMITS,
          DurabilityMapping.levels(
              DELAYED,
              DurabilityMapping.process(
                  "commit() after every write or batch", Evidence.argued("docs/durability.md")),
              DurabilityMapping.power(
                  "commit() and sync() after every write or batch",
                  Evidence.documented("https://h2database.com/html/mvstore.html")),
              DELAYED.byDefault()),
          MvstoreOptions.ALL,
          Declarations.notes(MvstoreEngine.class.getResourceAsStream("notes.txt")));

  /** For {@link java.util.ServiceLoader}. */
  public MvstoreEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(MvstoreFile.in(config.directory()));
  }

  @Override
  public void check(StoreConfig config) {
    ChecksummedFilePath.check("mvstore", config.directory().toAbsolutePath(), "\\");
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    MvstoreFile file = MvstoreFile.of(config);
    int fillRate = MvstoreFile.fillRate(config.options());
    MVStore store = file.open(config);
    try {
      return new MvstoreStore(store, file, fillRate).started();
    } catch (MVStoreException e) {
      store.closeImmediately();
      throw e;
    }
  }

  /** On damaged files MVStore may throw almost anything. */
  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    Failure known = MvstoreFile.classify(thrown);
    return known == null && thrown instanceof RuntimeException ? MvstoreFile.damaged() : known;
  }
}
