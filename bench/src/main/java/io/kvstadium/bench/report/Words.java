package io.kvstadium.bench.report;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts texts together. */
final class Words {
  private Words() {}

  /** Those that say something, with the separator between them. */
  static String join(String separator, String... texts) {
    return Stream.of(texts).filter(text -> !text.isEmpty()).collect(Collectors.joining(separator));
  }

  /** With a capital at the beginning. */
  static String sentence(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
