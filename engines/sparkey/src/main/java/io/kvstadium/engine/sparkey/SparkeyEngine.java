package io.kvstadium.engine.sparkey;

import io.kvstadium.store.Capability;
import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Evidence;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.OptionSpec;
import io.kvstadium.store.engine.StoreConfig;
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
      Declarations.options(SparkeyEngine.class.getResourceAsStream("options.txt"));

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
          Declarations.notes(SparkeyEngine.class.getResourceAsStream("notes.txt")));

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
    return new SparkeyStore(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return DamageException.classify(thrown);
  }
}
