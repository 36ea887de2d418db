package io.kvstadium.bench.run;

import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.text.Finding;

/** Receives the progress of a run; one interface for the terminal and any other observer. */
public interface Watcher {
  /**
   * Something happened in the running trial.
   *
   * @param configuration its name
   * @param number of the trial, from 1
   * @param phase what it does
   * @param done share of the whole run that is done, 0 to 1
   * @param secondsLeft by the time that trials took so far; negative before the first has ended
   */
  void progress(String configuration, int number, String phase, double done, double secondsLeft);

  /** One of several parts of a run begins. */
  default void begins(String part) {}

  /** Something of the run that a user should know. */
  default void noted(String text) {}

  /** The environment will distort the figures in this way; called before the first trial. */
  default void warned(Finding warning) {}

  /**
   * Something happened before the trials, while the harness is measured.
   *
   * @param what is being done
   * @param detail where it is
   */
  default void preparing(String what, String detail, double done, double secondsLeft) {}

  /** A trial has ended; {@code results} holds all so far. */
  default void trialEnded(Results results) {}

  /**
   * All trials of a round have ended.
   *
   * @param secondsLeft see {@link #progress}
   */
  default void roundEnded(Schedule.Round round, double secondsLeft) {}
}
