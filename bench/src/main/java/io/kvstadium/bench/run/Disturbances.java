package io.kvstadium.bench.run;

import io.kvstadium.bench.machine.OtherPrograms;
import io.kvstadium.bench.machine.OtherPrograms.Ticks;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How many trials ran beside other programs that kept processors busy. */
final class Disturbances {
  private final int processors;
  private final Set<String> disturbed = new TreeSet<>();
  private final List<Configuration> running = new ArrayList<>(); // and those that ended beside them
  private @Nullable Ticks begin;
  private int working;
  private int trials;
  private int hit;
  private double max;

  /**
   * @param processors of the machine
   */
  Disturbances(int processors) {
    this.processors = processors;
  }

  /**
   * Runs a trial of a configuration and watches what others do meanwhile. The server of a store
   * works for the trial, and nobody can tell it from other programs: then nothing is said. Trials
   * beside each other are no others: they are watched together.
   *
   * @param now the time that others took so far
   */
  <T> T watch(Configuration configuration, Supplier<Ticks> now, Supplier<T> trial) {
    begin(configuration, now);
    try {
      return trial.get();
    } finally {
      end(now);
    }
  }

  private synchronized void begin(Configuration configuration, Supplier<Ticks> now) {
    if (begin == null) {
      begin = now.get();
    }
    running.add(configuration);
    working++;
  }

  private synchronized void end(Supplier<Ticks> now) {
    working--;
    if (working == 0 && begin != null) {
      double share = now.get().shareSince(begin);
      begin = null;
      if (running.stream().noneMatch(Configuration::hasServer)) {
        running.forEach(each -> add(each.name(), share));
      }
      running.clear();
    }
  }

  /**
   * Called when a trial has ended.
   *
   * @param share of all processors' time that others took
   */
  synchronized void add(String configuration, double share) {
    trials++;
    if (OtherPrograms.disturb(share, processors)) {
      hit++;
      disturbed.add(configuration);
      max = Math.max(max, share);
    }
  }

  /** Returns what a reader must know, if anything. */
  synchronized List<Finding> findings() {
    return hit == 0
        ? List.of()
        : List.of(
            new Finding(
                Level.WARNING,
                "environment",
                String.format(
                    Locale.ROOT,
                    "other programs took up to %.1f of %d processors during %d of %d trials: end them and"
                        + " measure again%s",
                    max * processors,
                    processors,
                    hit,
                    trials,
                    hit == trials ? "" : " (affected: " + String.join(", ", disturbed) + ")")));
  }
}
