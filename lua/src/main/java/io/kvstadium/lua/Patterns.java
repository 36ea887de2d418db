package io.kvstadium.lua;

/** Judges patterns before C's functions get them. */
final class Patterns {
  /** Cannot fail, and is short. */
  static final int FINE = 0;

  /** May fail. */
  static final int DOUBTFUL = 1;

  /** Would use up C's stack: its functions call themselves for each repetition and capture. */
  static final int TOO_COMPLEX = 2;

  private static final int SHORT = 100;
  private static final int MAX_REPETITIONS = 500;
  private static final int MAX_CAPTURES = 32;

  private Patterns() {}

  /** The verdict on a pattern. */
  static int verdict(byte[] pattern) {
    int repetitions = 0;
    for (byte each : pattern) {
      if ("*+-?".indexOf(each) >= 0) {
        repetitions++;
      }
    }
    if (repetitions > MAX_REPETITIONS) {
      return TOO_COMPLEX;
    }
    return pattern.length <= SHORT && isWellFormed(pattern) ? FINE : DOUBTFUL;
  }

  /** What is doubtful may be well-formed, too. */
  private static boolean isWellFormed(byte[] pattern) {
    int open = 0;
    int captures = 0;
    for (int i = 0; i < pattern.length; i++) {
      switch (pattern[i]) {
        case 0 -> { // ends a pattern of Lua 5.1
          return false;
        }
        case '%' -> {
          i++;
          if (i == pattern.length || "\0bf".indexOf(pattern[i]) >= 0 || isDigit(pattern[i])) {
            return false;
          }
        }
        case '[' -> {
          i = endOfSet(pattern, i);
          if (i < 0) {
            return false;
          }
        }
        case '(' -> {
          open++;
          captures++;
        }
        case ')' -> {
          open--;
          if (open < 0) {
            return false;
          }
        }
        default -> {}
      }
    }
    return open == 0 && captures <= MAX_CAPTURES;
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }

  private static int endOfSet(byte[] pattern, int begin) {
    int i = begin + 1;
    if (i < pattern.length && pattern[i] == '^') {
      i++;
    }
    do { // a first ] belongs to the set
      if (i >= pattern.length || pattern[i] == 0) {
        return -1;
      }
      if (pattern[i] == '%') {
        i++;
        if (i >= pattern.length || pattern[i] == 0) {
          return -1;
        }
      }
      i++;
    } while (i < pattern.length && pattern[i] != ']');
    return i < pattern.length ? i : -1;
  }
}
