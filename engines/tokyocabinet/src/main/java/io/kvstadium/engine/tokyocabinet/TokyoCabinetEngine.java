package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Evidence;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.PathNames;
import io.kvstadium.store.engine.StoreConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tokyo Cabinet, as installed on the system. */
public final class TokyoCabinetEngine implements Engine {
  private static final Set<Capability> OF_WRITER = EnumSet.of(Capability.WRITE, Capability.BATCH);
  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.BATCH,
          Capability.READ_ONLY,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT);

  private static final Map<Durability, DurabilityMapping> DURABILITY =
      DurabilityMapping.levels(
          DurabilityMapping.none("no transaction for a single write: pages stay in the process"),
          DurabilityMapping.process(
              "each write a transaction, not synced", Evidence.argued("docs/durability.md")),
          DurabilityMapping.none("no transaction for a single write").byDefault());

  private static final EngineInfo INFO =
      new EngineInfo(
              "tokyocabinet",
              "Tokyo Cabinet",
              "1.4.48",
              "LGPL-2.1-or-later",
              "A B+ tree in one file, in C, as installed on the system.",
              "No longer developed: 1.4.48 of 2012 is the last release; its author went on to Kyoto"
                  + " Cabinet and Tkrzw and recommends these. Distributions still carry it"
                  + " (https://dbmx.net/tokyocabinet/).",
              true,
              CAPABILITIES,
              new Limits(Scratch.MOST, 256 << 20),
              DURABILITY,
              Declarations.options(TokyoCabinetEngine.class.getResourceAsStream("options.txt")),
              Declarations.notes(TokyoCabinetEngine.class.getResourceAsStream("notes.txt")))
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
    return Files.exists(config.directory().resolve(Database.FILE));
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    EnumSet<Capability> able = EnumSet.copyOf(CAPABILITIES);
    if (config.readOnly()) {
      able.removeAll(OF_WRITER);
    }
    return able;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return new TokyoCabinetStore(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return TokyoCabinetException.classify(config, thrown);
  }
}
