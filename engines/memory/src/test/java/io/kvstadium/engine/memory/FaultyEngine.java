package io.kvstadium.engine.memory;

import io.kvstadium.store.Capability;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Evidence;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The memory engine with a log that makes it persistent, and with one chosen fault: for testing the
 * conformance tests.
 */
public final class FaultyEngine implements Engine {
  static final Set<Capability> CAPABILITIES =
      EnumSet.copyOf(new MemoryEngine().info().capabilities());

  static {
    CAPABILITIES.add(Capability.PERSISTENT);
    CAPABILITIES.add(Capability.BACKUP);
  }

  private static final EngineInfo INFO =
      new EngineInfo(
          "faulty",
          "Faulty",
          "1",
          "Apache-2.0",
          "The memory engine with a log and a fault.",
          "Part of these tests.",
          true,
          CAPABILITIES,
          new Limits(1_000, 128 << 20),
          DurabilityMapping.levels(
              DurabilityMapping.consistent(
                  "written to a file", Loss.TAIL, Evidence.argued("these tests"))),
          List.of(
              Declarations.option(
                  "fault | choice %s | store | %s | what is wrong with it"
                      .formatted(
                          Arrays.stream(Fault.values())
                              .map(Fault::word)
                              .collect(Collectors.joining(",")),
                          Fault.NONE.word()))),
          List.of("Not for use."),
          false);

  /** For the service loader. */
  public FaultyEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  private static Path log(StoreConfig config) {
    return config.directory().resolve("log");
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(log(config));
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    String word = config.options().text("fault");
    Fault fault =
        Arrays.stream(Fault.values()).filter(f -> f.word().equals(word)).findFirst().orElseThrow();
    try {
      return new FaultyStore(log(config), fault);
    } catch (IOException e) {
      throw new StoreIoException("engine faulty: " + log(config) + ": " + e.getMessage(), e);
    }
  }
}
