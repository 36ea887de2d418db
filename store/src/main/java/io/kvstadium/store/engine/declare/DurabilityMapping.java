package io.kvstadium.store.engine.declare;

import io.kvstadium.store.Durability;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How an engine provides a level of durability.
 *
 * @param effective the level; {@link Durability#ENGINE_DEFAULT} for the engine's own settings
 * @param settings the engine's own settings that provide it, in its own terms
 * @param kill the most that can be lost when the process is killed
 * @param cut the most that can be lost when the power is cut
 * @param evidence why this is believed
 */
public record DurabilityMapping(
    Durability effective, String settings, Loss kill, Loss cut, Evidence evidence) {

  /** {@link Durability#NONE}, where anything may be lost. */
  public static DurabilityMapping none(String settings) {
    return none(settings, Loss.ANYTHING, Loss.ANYTHING);
  }

  /** {@link Durability#NONE}, where a crash usually loses less. */
  public static DurabilityMapping none(String settings, Loss kill, Loss cut) {
    return new DurabilityMapping(Durability.NONE, settings, kill, cut, Evidence.NONE);
  }

  /** {@link Durability#PROCESS}. */
  public static DurabilityMapping process(String settings, Evidence evidence) {
    return new DurabilityMapping(
        Durability.PROCESS, settings, Loss.NOTHING, Loss.ANYTHING, evidence);
  }

  /** {@link Durability#CONSISTENT}; {@code cut} says what may be missing after a power cut. */
  public static DurabilityMapping consistent(String settings, Loss cut, Evidence evidence) {
    return new DurabilityMapping(Durability.CONSISTENT, settings, Loss.NOTHING, cut, evidence);
  }

  /** {@link Durability#POWER}. */
  public static DurabilityMapping power(String settings, Evidence evidence) {
    return new DurabilityMapping(Durability.POWER, settings, Loss.NOTHING, Loss.NOTHING, evidence);
  }

  /** {@link Durability#ENGINE_DEFAULT}: the settings of a level that are also the engine's own. */
  public DurabilityMapping byDefault() {
    return new DurabilityMapping(Durability.ENGINE_DEFAULT, settings, kill, cut, evidence);
  }

  /**
   * Returns the mapping for each level that may be asked for: the weakest of those given that is at
   * least as strong. A level that none of them provides is missing.
   *
   * @param given mappings of different levels, in any order
   */
  public static Map<Durability, DurabilityMapping> levels(DurabilityMapping... given) {
    EnumMap<Durability, DurabilityMapping> levels = new EnumMap<>(Durability.class);
    for (Durability asked : Durability.values()) {
      Arrays.stream(given)
          .filter(each -> each.gives(asked))
          .min((a, b) -> a.effective.compareTo(b.effective))
          .ifPresent(each -> levels.put(asked, each));
    }
    return Collections.unmodifiableMap(levels);
  }

  private boolean gives(Durability asked) {
    return asked == Durability.ENGINE_DEFAULT
        ? effective == asked
        : effective != Durability.ENGINE_DEFAULT && effective.compareTo(asked) >= 0;
  }
}
