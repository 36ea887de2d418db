package io.kvstadium.store;

import java.util.Locale;

/**
 * Why a level of durability is believed to hold.
 *
 * @param kind how strong it is
 * @param source for {@link Kind#PROVEN} what was done, such as {@code 40 power cuts}; otherwise
 *     where it stands, an address or a page of this project's; empty for {@link Kind#NEEDED_NONE}
 */
public record Evidence(Kind kind, String source) {
  static final Evidence NONE = new Evidence(Kind.NEEDED_NONE, "");

  /** From nothing to the strongest. */
  public enum Kind {
    /** Nothing is promised that would have to be believed. */
    NEEDED_NONE,
    /** Concluded from what the engine does. */
    ARGUED,
    /** Promised by the engine's makers. */
    DOCUMENTED,
    /** Tried by crashes that found no fault. */
    PROVEN
  }

  /** For tables and reports: {@code proven (40 power cuts)}. */
  public String words() {
    return kind == Kind.NEEDED_NONE
        ? "none needed"
        : kind.name().toLowerCase(Locale.ROOT) + " (" + source + ")";
  }

  /** Concluded on a page of this project's. */
  public static Evidence argued(String page) {
    return new Evidence(Kind.ARGUED, page);
  }

  /** Promised by the makers, at this address. */
  public static Evidence documented(String address) {
    return new Evidence(Kind.DOCUMENTED, address);
  }

  /** Tried by crashes, such as {@code 40 power cuts}. */
  public static Evidence proven(String trials) {
    return new Evidence(Kind.PROVEN, trials);
  }
}
