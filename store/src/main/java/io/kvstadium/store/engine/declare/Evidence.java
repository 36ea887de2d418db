package io.kvstadium.store.engine.declare;

import java.util.Locale;

/**
 * Why a level of durability is believed to hold.
 *
 * @param kind how strong it is
 * @param source for {@link Kind#PROVEN} what was done, such as {@code 40 power cuts}; otherwise
 *     where it is written, an address or a page of this project; empty if there is none
 */
public record Evidence(Kind kind, String source) {
  /** Nothing is promised. */
  public static final Evidence NONE = new Evidence(Kind.NEEDED_NONE, "");

  /** From the weakest to the strongest. */
  public enum Kind {
    /** Nothing is promised, so there is nothing to believe. */
    NEEDED_NONE,
    /** Said by whoever wrote the adapter, and not looked into. */
    DECLARED,
    /** Concluded from what the engine does. */
    ARGUED,
    /** Promised by the engine's makers. */
    DOCUMENTED,
    /** Tested by crashes that found no fault. */
    PROVEN
  }

  /** For tables and reports: {@code proven (40 power cuts)}. */
  public String words() {
    return switch (kind) {
      case NEEDED_NONE -> "none needed";
      case DECLARED -> "declared, not proven";
      case ARGUED, DOCUMENTED, PROVEN -> kind.name().toLowerCase(Locale.ROOT) + " (" + source + ")";
    };
  }

  /** Said by whoever wrote the adapter, and not looked into. */
  public static Evidence declared() {
    return new Evidence(Kind.DECLARED, "");
  }

  /** Concluded on a page of this project. */
  public static Evidence argued(String page) {
    return new Evidence(Kind.ARGUED, page);
  }

  /** Promised by the makers, at this address. */
  public static Evidence documented(String address) {
    return new Evidence(Kind.DOCUMENTED, address);
  }

  /** Tested by crashes, such as {@code 40 power cuts}. */
  public static Evidence proven(String trials) {
    return new Evidence(Kind.PROVEN, trials);
  }
}
