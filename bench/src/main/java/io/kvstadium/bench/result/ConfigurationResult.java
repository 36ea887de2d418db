package io.kvstadium.bench.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One engine with its options, and the results of its trials.
 *
 * @param name unique in its experiment, such as {@code rocksdb} or {@code sqlite wal, one
 *     transaction}
 * @param engine the engine's name
 * @param title the engine's name as its makers write it
 * @param version the engine's version
 * @param description what the engine is, in a sentence
 * @param url what was opened, with the directory replaced by {@code …}
 * @param durability the level asked for, as a word
 * @param effective the level in force, as a word
 * @param settings the engine's own settings that gave it
 * @param evidence why the level in force is believed to hold, such as {@code tortured (kill 12
 *     rounds), argued (docs/durability.md)}; {@code null} if that is not known
 * @param group configurations of the same group are compared with one another: {@code equal} for
 *     equal durability, {@code default} for engines' own defaults, or a name given in the suite
 * @param options the options of the engine that were set
 * @param language the language of its trials, such as {@code java}
 * @param access how the phases use the store: {@code single}, {@code batch} …
 * @param capabilities what the engine declares that it can do, and the levels of durability that it
 *     gives exactly, in words
 * @param skipped why there are no trials, or {@code null} if there are
 * @param trials in order of their number; trials with the same number in other configurations saw
 *     the same keys and values in the same order
 */
public record ConfigurationResult(
    String name,
    String engine,
    String title,
    String version,
    String description,
    String url,
    String durability,
    String effective,
    String settings,
    @Nullable String evidence,
    String group,
    Map<String, String> options,
    String language,
    String access,
    List<String> capabilities,
    @Nullable String skipped,
    List<TrialResult> trials) {
  public ConfigurationResult {
    capabilities = List.copyOf(capabilities);
    trials = List.copyOf(trials);
  }

  /** Such as {@code proven}, {@code broken} or {@code argued}: the first word of the evidence. */
  public @Nullable String evidenceWord() {
    return evidence == null ? null : evidence.replaceFirst(" \\(.*", "");
  }

  /** Returns a copy with the given name. */
  public ConfigurationResult withName(String newName) {
    return new ConfigurationResult(
        newName,
        engine,
        title,
        version,
        description,
        url,
        durability,
        effective,
        settings,
        evidence,
        group,
        options,
        language,
        access,
        capabilities,
        skipped,
        trials);
  }

  /** Returns a copy with the given trials. */
  public ConfigurationResult withTrials(List<TrialResult> newTrials) {
    return new ConfigurationResult(
        name,
        engine,
        title,
        version,
        description,
        url,
        durability,
        effective,
        settings,
        evidence,
        group,
        options,
        language,
        access,
        capabilities,
        skipped,
        newTrials);
  }
}
