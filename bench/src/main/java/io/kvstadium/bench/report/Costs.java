package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.TrialResult;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a configuration costs beside time; medians over its trials, NaN where unknown.
 *
 * @param configuration its name
 * @param diskBytes allocated blocks of the store's files
 * @param amplification those bytes for each byte of live keys and values
 * @param anonymousBytes anonymous memory of the process
 * @param fileBytes file-backed memory of the process
 */
public record Costs(
    String configuration,
    double diskBytes,
    double amplification,
    double anonymousBytes,
    double fileBytes) {
  static Costs of(ConfigurationResult configuration) {
    List<TrialResult> trials = Trials.good(configuration);
    return new Costs(
        configuration.name(),
        median(trials, CostCard::diskBytes),
        median(
            trials,
            card ->
                card.diskBytes() < 0 || card.liveBytes() <= 0
                    ? -1
                    : (double) card.diskBytes() / card.liveBytes()),
        median(trials, CostCard::anonymousBytes),
        median(trials, CostCard::fileBytes));
  }

  /** Whether anything is known. */
  boolean known() {
    return !(Double.isNaN(diskBytes) && Double.isNaN(anonymousBytes) && Double.isNaN(fileBytes));
  }

  private static double median(List<TrialResult> trials, ToDoubleFunction<CostCard> figure) {
    double[] known =
        trials.stream()
            .map(TrialResult::card)
            .mapToDouble(figure)
            .filter(value -> value >= 0)
            .toArray();
    Arrays.sort(known);
    if (known.length == 0) {
      return Double.NaN;
    }
    int half = known.length / 2;
    return known.length % 2 == 1 ? known[half] : (known[half - 1] + known[half]) / 2;
  }
}
