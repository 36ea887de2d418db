package io.kvstadium.store.engine.declare;

/** The most that a crash may lose of what was acknowledged, from least to most. */
public enum Loss {
  /** Nothing. */
  NOTHING("nothing"),
  /** The last commit, that is, the last write or batch. */
  ONE_COMMIT("the last commit"),
  /** The writes of a bounded time: about a second, or what an option says. */
  SECONDS("the last second or so"),
  /** The latest writes, however many, but only those: what is left is a prefix of the history. */
  TAIL("the latest writes, without a bound"),
  /** Anything: the store may be damaged. */
  ANYTHING("anything: the store may be damaged");

  private final String words;

  Loss(String words) {
    this.words = words;
  }

  /** For tables and reports: {@code nothing}, {@code the last commit} … */
  public String words() {
    return words;
  }
}
