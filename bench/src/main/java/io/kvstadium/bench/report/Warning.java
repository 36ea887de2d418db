package io.kvstadium.bench.report;

/**
 * Why a figure is to be taken with care.
 *
 * @param word a short one for where there is no room, such as {@code harness-limited}
 * @param message what was found, as a sentence without a full stop
 * @param advice what to do about it, likewise
 */
public record Warning(String word, String message, String advice) {
  /** Both. */
  String text() {
    return message + ": " + advice;
  }
}
