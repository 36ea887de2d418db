package io.kvstadium.engine.h2;

import io.kvstadium.engine.h2file.SoundPath;
import io.kvstadium.store.Capability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Limits;
import io.kvstadium.store.Loss;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.StoreConfig;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;
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
          List.of(
              "H2 itself never syncs at a commit, and with its default WRITE_DELAY a killed process"
                  + " loses up to half a second of commits.",
              "At durability=consistent every commit is synced, as at power: after a crash H2 checks"
                  + " both ends of every live chunk of its file, and falls back to an older state whose"
                  + " chunks all have theirs; but it does not check what is between them, so that"
                  + " saving alone promises no prefix of the history after a power cut.",
              "What is saved gets a checksum, at a place in the file that H2 leaves empty and does not"
                  + " read: what a power cut has torn is dropped when the store is opened.",
              "Where commits are saved they go one at a time, whatever the number of writers.",
              "A transaction or batch of more than some MB is saved in several parts before its"
                  + " commit; where commits are synced, each part is.",
              "Where every commit is saved the file grows until it is closed, since H2 compacts"
                  + " in the background only where it saves there; see max_compact_time.",
              "schema=casket: keys have at most 255 bytes, values of more than 256 bytes are in"
                  + " H2's LOB storage, an overwrite is an INSERT that fails and then an UPDATE,"
                  + " and each of the two uses up one of the 2^31 row numbers.",
              "A backup copies the file, which grows meanwhile since its space is not reused, and"
                  + " stores all of it each time; at durability=none, engine-default and read-only"
                  + " it reads all entries instead.",
              "The key is a second index beside H2's own row numbers, so that each read looks in two"
                  + " trees.",
              "A transaction keeps all other writers out from start to end: H2 has no locks for"
                  + " ranges, and its own SERIALIZABLE is no more than a snapshot. Single writes and"
                  + " batches wait for it as long as lock_timeout, then they fail with a conflict.",
              "Single writes and batches never conflict with each other: those of the same keys"
                  + " queue before they get to H2, in order, whose own way to wait takes a thread"
                  + " and a connection for each, and gives up on some of many.",
              "OPTIMIZE_REUSE_RESULTS, which is on in H2 by default, is off: with it a query is now"
                  + " and then answered with what an earlier view of the same connection saw.",
              "An open snapshot, cursor or transaction keeps the space of everything that was"
                  + " overwritten since from being reused.",
              "After an I/O error, a full disk included, H2 closes the database: every later call"
                  + " fails until the store is opened again.",
              "Damage to the file is not always noticed: H2 keeps no checksums of values."));

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
    SoundPath.check("h2", config.directory().toAbsolutePath(), "\\;"); // the second ends an H2 URL
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
