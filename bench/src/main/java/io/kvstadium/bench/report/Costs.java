package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What a configuration costs beside time; medians over its trials, NaN where unknown.
 *
 * @param configuration its name
 * @param openNanos opening, as the phase {@code open} says
 * @param closeNanos closing
 * @param openAfterKillNanos opening after a kill at the end of the writes
 * @param diskBytes allocated blocks of the store's files
 * @param amplification those bytes for each byte of live keys and values
 * @param restingBytes what the full store takes at rest
 * @param settledBytes allocated blocks after all writes and the close, compaction waited for if the
 *     engine tells of it
 * @param settledAmplification those bytes for each byte that was live then
 * @param settleNanos how long compaction was waited for; NaN if the engine does not tell of it
 * @param settled in how many trials the engine said that it was done; where it did not, the settled
 *     figures are those of a moment
 * @param trials how many trials there are
 * @param anonymousBytes anonymous memory of the process
 * @param fileBytes file-backed memory
 * @param peakBytes of the control group, page cache included
 * @param readBytes from the device, by all phases
 * @param writtenBytes to the device, settling included
 * @param writeAmplification those bytes for each byte of keys and values that was written
 */
public record Costs(
    String configuration,
    double openNanos,
    double closeNanos,
    double openAfterKillNanos,
    double diskBytes,
    double amplification,
    double restingBytes,
    double settledBytes,
    double settledAmplification,
    double settleNanos,
    int settled,
    int trials,
    double anonymousBytes,
    double fileBytes,
    double peakBytes,
    double readBytes,
    double writtenBytes,
    double writeAmplification) {
  static Costs of(ConfigurationResult configuration) {
    List<TrialResult> trials = Trials.good(configuration);
    return new Costs(
        configuration.name(),
        call(trials, "open"),
        call(trials, "close"),
        median(trials, card -> card.kill().openAfterKillNanos()),
        median(trials, card -> card.sizes().diskBytes()),
        median(trials, card -> per(card.sizes().diskBytes(), card.sizes().liveBytes())),
        median(trials, card -> card.sizes().resting()),
        median(trials, card -> card.sizes().settledDiskBytes()),
        median(
            trials, card -> per(card.sizes().settledDiskBytes(), card.sizes().settledLiveBytes())),
        median(trials, card -> card.settling().settleNanos()),
        (int) trials.stream().filter(trial -> trial.card().settling().settled()).count(),
        trials.size(),
        median(trials, card -> card.memory().anonymousBytes()),
        median(trials, card -> card.memory().fileBytes()),
        median(trials, card -> card.memory().peakBytes()),
        median(trials, card -> card.traffic().readBytes()),
        median(trials, card -> card.traffic().writtenBytes()),
        median(trials, card -> per(card.traffic().writtenBytes(), card.traffic().movedBytes())));
  }

  /** Whether anything is known. */
  boolean known() {
    return DoubleStream.of(
            openAfterKillNanos,
            diskBytes,
            settledBytes,
            anonymousBytes,
            fileBytes,
            peakBytes,
            readBytes,
            writtenBytes)
        .anyMatch(figure -> !Double.isNaN(figure));
  }

  /** The settled space per live byte, or where that is unknown, the one before. */
  double space() {
    return Double.isNaN(settledAmplification) ? amplification : settledAmplification;
  }

  private static double call(List<TrialResult> trials, String name) {
    return Median.ofKnown(
        trials.stream()
            .mapToDouble(trial -> {
              PhaseResult phase = Trials.phase(trial, name);
              return phase == null || phase.operations() != 1 ? -1 : phase.nanos();
            }));
  }

  private static double per(long amount, long count) {
    return amount < 0 || count <= 0 ? -1 : (double) amount / count;
  }

  private static double median(List<TrialResult> trials, ToDoubleFunction<CostCard> figure) {
    return Median.ofKnown(trials.stream().map(TrialResult::card).mapToDouble(figure));
  }
}
