package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.TrialResult;
import java.util.List;

/**
 * What a page hands out beside what it shows, packed, as much of it as there is room for.
 *
 * @param histograms of all phases, or empty
 * @param histogramsNote what they are
 * @param results the whole results, or those without what is bulky, or empty
 * @param resultsNote what they are
 */
record Attachments(String histograms, String histogramsNote, String results, String resultsNote) {
  static final Attachments NONE = new Attachments("", "", "", "");

  boolean hasResults() {
    return !results.isEmpty();
  }

  /** Bytes of the whole page, with a little left for the notes. */
  static final int MOST = 495_000;

  private static final int DIGITS = 3;

  /**
   * Chooses what fits.
   *
   * @param taken bytes of the page without attachments
   */
  static Attachments of(Results results, List<Recordings> recordings, int taken) {
    int room = MOST - taken;
    String note = "All trials of a configuration are together in one histogram.";
    String histograms = Packed.text(HtmlReport.json(merged(recordings, DIGITS)));
    if (histograms.length() > room / 2) {
      histograms = Packed.text(HtmlReport.json(merged(recordings, DIGITS - 1)));
      note += " To save space they have two digits here; results.json has three.";
    }
    if (histograms.length() > room) {
      histograms = "";
      note = "To save space the histograms are only in the run's results.json.";
    }
    return withResults(results, histograms, note, room - histograms.length());
  }

  private static List<Recordings> merged(List<Recordings> recordings, int digits) {
    return recordings.stream().map(each -> each.merged(digits)).toList();
  }

  private static Attachments withResults(
      Results results, String histograms, String note, int room) {
    String whole = Packed.text(ResultsFile.toJson(results));
    if (whole.length() <= room) {
      return new Attachments(histograms, note, whole, "The whole results.");
    }
    String lean = Packed.text(ResultsFile.toJson(lean(results)));
    return lean.length() <= room
        ? new Attachments(
            histograms,
            note,
            lean,
            "To save space this leaves out the histograms and timelines of single trials, which"
                + " are in the run's own results.json.")
        : new Attachments(histograms, note, "", "They are too large for this page.");
  }

  private static Results lean(Results results) {
    return results.withExperiments(results.experiments().stream().map(Attachments::lean).toList());
  }

  private static ExperimentResult lean(ExperimentResult own) {
    return own.withConfigurations(own.configurations().stream().map(Attachments::lean).toList());
  }

  private static ConfigurationResult lean(ConfigurationResult own) {
    return own.withTrials(own.trials().stream().map(Attachments::lean).toList());
  }

  private static TrialResult lean(TrialResult own) {
    return new TrialResult(
        own.number(),
        own.seed(),
        own.failure(),
        own.phases().stream().map(Attachments::lean).toList(),
        own.card());
  }

  private static PhaseResult lean(PhaseResult own) {
    Pace pace = own.pace();
    Pace lean =
        pace == null
            ? null
            : new Pace(
                pace.rate(), pace.arrivals(), pace.held(), null, null, pace.limit(), pace.tries());
    return own.withHistogram(null, own.batch()).with(lean, null, own.caches());
  }
}
