package io.kvstadium.bench.report;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Combines texts. */
final class Words {
  private Words() {}

  /** Joins the texts that are not empty with a separator. */
  static String join(String separator, String... texts) {
    return Stream.of(texts).filter(text -> !text.isEmpty()).collect(Collectors.joining(separator));
  }

  /** Returns the text with a capital letter at the beginning. */
  static String sentence(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
