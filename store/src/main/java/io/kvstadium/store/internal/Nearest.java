package io.kvstadium.store.internal;

import java.util.Collection;
import java.util.Locale;

/** Finds what somebody probably meant. */
public final class Nearest {
  private Nearest() {}

  /**
   * {@code " (did you mean 'x'?)"} for the candidate with the smallest edit distance, if that is at
   * most a third of the word's length (and at least 2 is always allowed); otherwise empty.
   */
  public static String hint(String word, Collection<String> candidates) {
    String best = "";
    int distance = Math.max(2, word.length() / 3) + 1;
    for (String candidate : candidates) {
      int d = distance(word.toLowerCase(Locale.ROOT), candidate);
      if (d < distance) {
        distance = d;
        best = candidate;
      }
    }
    return best.isEmpty() ? "" : " (did you mean '" + best + "'?)";
  }

  /** Levenshtein's distance, by the row-wise recurrence of Wagner and Fischer. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
