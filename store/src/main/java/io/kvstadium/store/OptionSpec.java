package io.kvstadium.store;

import java.util.List;

/**
 * An option that an engine understands, as written in URLs.
 *
 * @param name in lower case with underscores
 * @param type the form of its values
 * @param scope what it applies to
 * @param fallback the value used if it is not given, in the same form; empty for "the engine's own
 *     default"
 * @param choices the values that {@link Type#CHOICE} allows; otherwise empty
 * @param description one line for the list of options
 */
public record OptionSpec(
    String name,
    Type type,
    Scope scope,
    String fallback,
    List<String> choices,
    String description) {

  /** The form of a value. */
  public enum Type {
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** A whole number. */
    INTEGER,
    /** A decimal number. */
    DECIMAL,
    /** A number of bytes, with an optional suffix k, m, g or t for powers of 1,024. */
    SIZE,
    /** A number with one of the suffixes ns, us, ms, s, m, h. */
    DURATION,
    /** One of the listed words. */
    CHOICE,
    /** Any text. */
    TEXT
  }

  /** Whether an option applies to the whole store or to each table. */
  public enum Scope {
    STORE,
    /**
     * Given as {@code name=…} it applies to every table, as {@code table.users.name=…} to one. The
     * engine gets it by {@link io.kvstadium.store.spi.EngineStore#openTable}; those given for every
     * table also by {@link io.kvstadium.store.spi.StoreConfig#options()}.
     */
    TABLE
  }

  public OptionSpec {
    choices = List.copyOf(choices);
  }

  public static OptionSpec bool(String name, Scope scope, String fallback, String description) {
    return new OptionSpec(name, Type.BOOLEAN, scope, fallback, List.of(), description);
  }

  public static OptionSpec integer(String name, Scope scope, String fallback, String description) {
    return new OptionSpec(name, Type.INTEGER, scope, fallback, List.of(), description);
  }

  public static OptionSpec decimal(String name, Scope scope, String fallback, String description) {
    return new OptionSpec(name, Type.DECIMAL, scope, fallback, List.of(), description);
  }

  public static OptionSpec size(String name, Scope scope, String fallback, String description) {
    return new OptionSpec(name, Type.SIZE, scope, fallback, List.of(), description);
  }

  public static OptionSpec duration(String name, Scope scope, String fallback, String description) {
    return new OptionSpec(name, Type.DURATION, scope, fallback, List.of(), description);
  }

  public static OptionSpec choice(
      String name, Scope scope, String fallback, List<String> choices, String description) {
    return new OptionSpec(name, Type.CHOICE, scope, fallback, choices, description);
  }

  public static OptionSpec text(String name, Scope scope, String fallback, String description) {
    return new OptionSpec(name, Type.TEXT, scope, fallback, List.of(), description);
  }
}
