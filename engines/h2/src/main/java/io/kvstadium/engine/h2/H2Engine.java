package io.kvstadium.engine.h2;

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
import io.kvstadium.store.engine.Loss;
import io.kvstadium.store.engine.StoreConfig;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** H2, embedded, over JDBC. */
public final class H2Engine implements Engine {
  static final Set<Capability> CAPABILITIES =
      Set.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.BATCH,
          Capability.RANGE_DELETE,
          Capability.PESSIMISTIC_TRANSACTION,
          Capability.SERIALIZABLE_SCANS,
          Capability.SNAPSHOT,
          Capability.BACKUP,
          Capability.READ_ONLY,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT);

  /** H2 accepts a billion bytes, but assembles each commit on the heap. */
  static final Limits LIMITS = new Limits(1 << 20, 1 << 28);

  private static final DurabilityMapping DELAYED =
      DurabilityMapping.none("WRITE_DELAY=500 (option write_delay)", Loss.SECONDS, Loss.ANYTHING);

  private static final EngineInfo INFO =
      new EngineInfo(
          "h2",
          "H2 Database",
          "2.4.240",
          "MPL-2.0 OR EPL-1.0",
          "The SQL database in Java, embedded; readers never wait for writers.",
          "Maintained by a small group of volunteers; about one release a year"
              + " (https://h2database.com).",
          true,
          CAPABILITIES,
          LIMITS,
          DurabilityMapping.levels(
              DELAYED,
              DurabilityMapping.process("WRITE_DELAY=0", Evidence.argued("docs/durability.md")),
              DurabilityMapping.power(
                  "WRITE_DELAY=0, and CHECKPOINT SYNC after every commit",
                  Evidence.documented("https://h2database.com/html/commands.html#checkpoint_sync")),
              DELAYED.byDefault()),
          H2Options.ALL,
          Declarations.notes(H2Engine.class.getResourceAsStream("notes.txt")));

  /** For {@link java.util.ServiceLoader}. */
  public H2Engine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(Database.fileIn(config.directory()));
  }

  @Override
  public void check(StoreConfig config) {
    ChecksummedFilePath.check(
        "h2", config.directory().toAbsolutePath(), "\\;"); // the second ends an H2 URL
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return Errors.of(thrown);
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws SQLException {
    return H2Store.open(Database.of(config), config);
  }
}
