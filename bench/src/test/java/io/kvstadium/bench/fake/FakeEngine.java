package io.kvstadium.bench.fake;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Evidence;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Loss;
import io.kvstadium.store.engine.declare.Options;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An engine that declares what a test wants it to.
 *
 * @param name in URLs
 * @param capabilities what it says that it can do
 * @param levels of durability that it gives; for a weaker one the next stronger
 * @param reason why it cannot be used here, or {@code null}
 */
public record FakeEngine(
    String name,
    Set<Capability> capabilities,
    Set<Durability> levels,
    @Nullable String reason,
    boolean old)
    implements Engine {
  /** One that can do everything, and keeps it. */
  public static FakeEngine able(String name) {
    return new FakeEngine(
        name, EnumSet.allOf(Capability.class), EnumSet.allOf(Durability.class), null, false);
  }

  /** Without a capability. */
  public FakeEngine without(Capability capability) {
    EnumSet<Capability> rest = EnumSet.copyOf(capabilities);
    rest.remove(capability);
    return new FakeEngine(name, rest, levels, reason, old);
  }

  /** With no other levels than these. */
  public FakeEngine only(Durability first, Durability... others) {
    return new FakeEngine(name, capabilities, EnumSet.of(first, others), reason, old);
  }

  /** Not to be used here. */
  public FakeEngine unavailableFor(String why) {
    return new FakeEngine(name, capabilities, levels, why, old);
  }

  /** One that nobody develops any more. */
  public FakeEngine legacy() {
    return new FakeEngine(name, capabilities, levels, reason, true);
  }

  @Override
  public @Nullable String directory(String location, Options options) {
    return location.startsWith("//") ? null : location; // which is a server's address
  }

  @Override
  public EngineInfo info() {
    DurabilityMapping[] mappings =
        levels.stream()
            .map(level ->
                new DurabilityMapping(
                    level,
                    "set to " + level.word(),
                    Loss.NOTHING,
                    Loss.TAIL,
                    Evidence.argued("these tests")))
            .toArray(DurabilityMapping[]::new);
    return new EngineInfo(
        name,
        "Fake " + name,
        "1.2.3",
        "Apache-2.0",
        "A map.",
        "Part of these tests.",
        false,
        capabilities,
        new Limits(Limits.MAX_ARRAY, Limits.MAX_ARRAY),
        DurabilityMapping.levels(mappings),
        List.of(),
        List.of(),
        old);
  }

  @Override
  public @Nullable String unavailable() {
    return reason;
  }

  @Override
  public boolean exists(StoreConfig config) {
    return false;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return new MapStore(capabilities);
  }
}
