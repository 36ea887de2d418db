package io.kvstadium.bench.run;

import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.List;

/** What a reader must know of a trial that has figures all the same. */
final class Remarks {
  private Remarks() {}

  /** Equal ones for all trials of a configuration, but for what happened in one of them. */
  static List<Finding> of(String configuration, TrialResult trial) {
    CostCard card = trial.card();
    List<Finding> remarks = new ArrayList<>();
    if (!card.unsettled().isEmpty()) {
      boolean tells = card.settleNanos() >= 0;
      remarks.add(
          new Finding(
              tells ? Level.WARNING : Level.NOTE,
              configuration,
              (tells
                      ? "the engine had not ended its compactions when these phases began: "
                      : "whether compactions still ran when these phases began is not known, for"
                          + " the engine does not tell: ")
                  + String.join(", ", card.unsettled())));
    }
    String afterKill = card.afterKill();
    if (afterKill != null) {
      remarks.add(
          new Finding(Level.FAILURE, configuration, "trial " + trial.number() + ": " + afterKill));
    }
    return remarks;
  }
}
