package io.kvstadium.bench.run;

import io.kvstadium.bench.result.Results;
import java.util.List;

/** Is told how a run gets on; one interface for the terminal and for whoever else wants to know. */
public interface Watcher {
  /**
   * Something happened in the running trial.
   *
   * @param configuration its name
   * @param number of the trial, from 1
   * @param phase what it does
   * @param done share of the whole run that is done, 0 to 1
   * @param secondsLeft a guess that gets better
   */
  void progress(String configuration, int number, String phase, double done, double secondsLeft);

  /**
   * Something happened before the trials: the harness is measured, or the maxima of which rates are
   * shares.
   *
   * @param what is being done
   * @param detail where it is
   */
  default void preparing(String what, String detail, double done, double secondsLeft) {}

  /** A trial has ended; {@code results} holds all so far. */
  void trialEnded(Results results);

  /**
   * All trials of a heat have ended.
   *
   * @param left who left the race after it, and why; nobody where there is none
   * @param present how many configurations the next heat would have
   */
  default void heatEnded(int heat, List<String> left, int present) {}
}
