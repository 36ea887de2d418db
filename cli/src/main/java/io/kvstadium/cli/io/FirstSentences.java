package io.kvstadium.cli.io;

/**
 * What these commands do: the first sentences of their help, which the help of all commands prints
 * without loading their classes. The first build of the launcher is without them.
 */
public final class FirstSentences {
  public static final String BENCH = "Measures engines and says which differences are real.";

  public static final String ADVISE =
      "Says which engine and settings to take, and what that brings.";

  public static final String COMPARE = "Compares saved runs with the first.";

  public static final String HISTORY = "Shows a figure over many saved runs, and what changed.";

  public static final String REPORT = "Prints the report of a saved run and writes it as HTML.";

  public static final String TRACE =
      "Looks at recordings of applications, and imports those of others.";

  public static final String BROWSE = "Looks into a store in the browser: entries, search, sizes.";

  public static final String IMPORT =
      "Reads entries into a store, from files, databases or standard input.";

  public static final String BACKUP = "Adds a backup of a store to a directory.";

  public static final String SERVE = "Serves a store over the Redis protocol and HTTP.";

  public static final String CLUSTER =
      "Starts and stops a cluster on this machine, to try one out.";

  public static final String VERIFY = "Reads a whole store and checks order, counts and checksums.";

  public static final String TORTURE =
      "Does a store, or a program, keep its guarantees at power cuts?";

  public static final String CHECK = "Runs the conformance tests on an engine.";

  public static final String CHECK_PLAYER =
      "Does a player of traces in another language do what it should?";

  private FirstSentences() {}
}
