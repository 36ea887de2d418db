package io.kvstadium.bench.result;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.store.Durability;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One engine with its options: what was planned, what is known of it, and the results of its
 * trials.
 *
 * @param plan the configuration
 * @param title the engine's name as its makers write it
 * @param version the engine's version
 * @param description what the engine is, in a sentence
 * @param effective the level of durability in force
 * @param settings the engine's own settings that gave it
 * @param evidence why the level in force is believed to hold, such as {@code tortured (kill 12
 *     rounds), argued (docs/durability.md)}; {@code null} if that is not known
 * @param capabilities what the engine declares that it can do, and the levels of durability that it
 *     gives exactly, in words
 * @param skipped why there are no trials, or {@code null} if there are
 * @param trials in order of their number; trials with the same number in other configurations saw
 *     the same keys and values in the same order
 */
public record ConfigurationResult(
    Configuration plan,
    String title,
    String version,
    String description,
    Durability effective,
    String settings,
    @Nullable String evidence,
    List<String> capabilities,
    @Nullable String skipped,
    List<TrialResult> trials) {
  public ConfigurationResult {
    capabilities = List.copyOf(capabilities);
    trials = List.copyOf(trials);
  }

  public ConfigurationResult withPlan(Configuration other) {
    return new ConfigurationResult(
        other,
        title,
        version,
        description,
        effective,
        settings,
        evidence,
        capabilities,
        skipped,
        trials);
  }

  /** Unique in its experiment, such as {@code rocksdb} or {@code sqlite wal, one transaction}. */
  public String name() {
    return plan.name();
  }
}
