package io.kvstadium.torture.child;

/** Words for {@code sh}. */
public final class Shell {
  private Shell() {}

  /** A word that {@code sh} takes as it is. */
  public static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
