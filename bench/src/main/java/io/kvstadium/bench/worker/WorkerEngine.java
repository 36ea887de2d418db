package io.kvstadium.bench.worker;

import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Evidence;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.Loss;
import io.kvstadium.store.engine.OptionSpec;
import io.kvstadium.store.engine.StoreConfig;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An engine that only a worker can open: for plans and reports. */
public final class WorkerEngine implements Engine {
  private final EngineDeclaration declared;
  private final EngineInfo info;

  /**
   * @param language with its version, to add to the engine's version
   */
  WorkerEngine(EngineDeclaration declared, String language) {
    this.declared = declared;
    this.info =
        new EngineInfo(
            declared.name(),
            declared.title(),
            declared.version() + (declared.version().isEmpty() ? "" : ", ") + language,
            declared.licence(),
            declared.description(),
            "",
            declared.capabilities().contains(Capability.PERSISTENT.word()),
            capabilities(),
            new Limits(Limits.MAX_ARRAY, Limits.MAX_ARRAY),
            DurabilityMapping.levels(
                declared.durability().stream()
                    .map(WorkerEngine::mapping)
                    .toArray(DurabilityMapping[]::new)),
            declared.options().stream().map(WorkerEngine::option).toList(),
            List.of());
  }

  private Set<Capability> capabilities() {
    EnumSet<Capability> all = EnumSet.noneOf(Capability.class);
    for (String word : declared.capabilities()) {
      all.add(
          Arrays.stream(Capability.values())
              .filter(each -> each.word().equals(word))
              .findFirst()
              .orElseThrow(() ->
                  new BadArgumentException(
                      "a worker says that engine "
                          + declared.name()
                          + " has '"
                          + word
                          + "', which is not a capability")));
    }
    return all;
  }

  private static DurabilityMapping mapping(EngineDeclaration.Level given) {
    Evidence evidence =
        given.evidence() == null
            ? Evidence.argued("what the worker sets")
            : Evidence.documented(given.evidence());
    String settings = given.settings();
    return switch (Durability.of(given.level())) {
      case NONE -> DurabilityMapping.none(settings);
      case PROCESS -> DurabilityMapping.process(settings, evidence);
      case CONSISTENT -> DurabilityMapping.consistent(settings, Loss.TAIL, evidence);
      case POWER -> DurabilityMapping.power(settings, evidence);
      case ENGINE_DEFAULT ->
          new DurabilityMapping(
              Durability.ENGINE_DEFAULT, settings, Loss.ANYTHING, Loss.ANYTHING, evidence);
    };
  }

  private static OptionSpec option(EngineDeclaration.Option given) {
    OptionSpec.Scope scope = OptionSpec.Scope.STORE;
    return given.choices().isEmpty()
        ? OptionSpec.text(given.name(), scope, "", given.description())
        : OptionSpec.choice(given.name(), scope, "", given.choices(), given.description());
  }

  /** Returns whether trials can use it in the given way. */
  public boolean offers(Access access) {
    return declared.access().contains(access.word());
  }

  @Override
  public EngineInfo info() {
    return info;
  }

  @Override
  public @Nullable String unavailable() {
    return declared.unavailable();
  }

  @Override
  public boolean exists(StoreConfig config) {
    return false;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    throw new IllegalStateException(
        "engine " + info.name() + " of a worker is opened by the worker");
  }
}
