package io.kvstadium.bench.player;

import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.store.BadArgumentException;
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
import io.kvstadium.store.engine.declare.OptionSpec;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An engine that only a player can open: for plans and reports. */
public final class PlayerEngine implements Engine {
  private final EngineDeclaration declared;
  private final EngineInfo info;

  /**
   * @param language to add to the engine's version: it is not the engine of another one
   */
  PlayerEngine(EngineDeclaration declared, String language) {
    this.declared = declared;
    String binding = declared.binding() == null ? language : declared.binding() + ", " + language;
    Set<Capability> has = capabilities();
    this.info =
        new EngineInfo(
            declared.name(),
            declared.title(),
            declared.version() + (declared.version().isEmpty() ? "" : ", ") + binding,
            declared.licence() == null ? "" : declared.licence(),
            "%s, used by a player in %s.".formatted(declared.title(), language),
            declared.home() == null ? "" : declared.home(),
            has.contains(Capability.PERSISTENT),
            has,
            new Limits(Limits.MAX_ARRAY, Limits.MAX_ARRAY),
            DurabilityMapping.levels(
                declared.durability().entrySet().stream()
                    .map(PlayerEngine::mapping)
                    .toArray(DurabilityMapping[]::new)),
            declared.options().entrySet().stream().map(this::option).toList(),
            Objects.requireNonNull(declared.withdrawn()).stream()
                .sorted()
                .map(level ->
                    "durability "
                        + level
                        + " is not offered: a kill or a power cut broke it in torture")
                .toList(),
            declared.legacy());
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
                      "a player says that engine "
                          + declared.name()
                          + " has '"
                          + word
                          + "', which is not a capability")));
    }
    return all;
  }

  private static DurabilityMapping mapping(Map.Entry<String, String> given) {
    Durability level = Durability.of(given.getKey());
    boolean promises = level != Durability.NONE && level != Durability.ENGINE_DEFAULT;
    return new DurabilityMapping(
        level,
        given.getValue(),
        promises ? Loss.NOTHING : Loss.ANYTHING,
        level == Durability.POWER
            ? Loss.NOTHING
            : level == Durability.CONSISTENT ? Loss.TAIL : Loss.ANYTHING,
        promises ? Evidence.declared() : Evidence.NONE);
  }

  private OptionSpec option(Map.Entry<String, List<String>> given) {
    List<String> choices = given.getValue();
    List<String> tries = declared.tries() == null ? null : declared.tries().get(given.getKey());
    return new OptionSpec(
        given.getKey(),
        choices.isEmpty() ? OptionSpec.Type.TEXT : OptionSpec.Type.CHOICE,
        OptionSpec.Scope.STORE,
        "",
        choices,
        null,
        "",
        tries == null ? null : new OptionSpec.Tuning("", false, tries),
        null);
  }

  /** Whether its player has settings for a level at which it is not to be used. */
  public boolean isWithdrawn(Durability level) {
    return Objects.requireNonNull(declared.withdrawn()).contains(level.word());
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
        "engine " + info.name() + " of a player is opened by the player");
  }
}
