package io.kvstadium.cli.entries;

import io.kvstadium.cli.io.Escapes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stadium get}: prints a value. */
@Command(
    name = "get",
    description = {
      "Prints the value of a key.",
      "Just its bytes, unless output goes to a terminal or a codec is given.",
      "Exit code 0 if there is one, 1 if there is none, 2 if it could not be read."
    })
public final class GetCommand extends EntryCommand {
  /** The exit code for a missing key. */
  public static final int NONE = 1;

  @Mixin private PrintOptions print;

  @Parameters(index = "1", paramLabel = "KEY", description = "As --keys says.")
  private String key;

  @Override
  public int run(Session session) {
    EntryCodecs codecs = codecs(session, print.values());
    byte[] bytes = codecs.keys().encode(key);
    String table = table(session);
    byte[] value = session.table(table).get(bytes);
    if (value == null) {
      say("there is no entry " + Escapes.quoted(key) + " in table " + table);
      sayOtherTables(session);
      return NONE;
    }
    new EntryPrinter(
            session.out(), print.view(session), table, codecs, false, session.screen().width())
        .value(bytes, value, isInShell());
    return 0;
  }
}
