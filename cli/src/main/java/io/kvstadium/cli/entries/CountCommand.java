package io.kvstadium.cli.entries;

import io.kvstadium.cli.io.Interrupt;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code stadium count}: counts entries. */
@Command(name = "count", description = "Counts the entries of a table, or of a range of it.")
public final class CountCommand extends EntryCommand {
  @Mixin private Selection selection;

  @Override
  public int run(Session session) {
    Table<byte[], byte[]> table = session.table(table(session));
    boolean whole = !selection.isGiven() && !isInShell(); // a shell can interrupt the loop below
    if (whole) {
      return print(session, table.count());
    }
    long count = 0;
    try (Cursor<byte[], byte[]> cursor = table.scan(selection.range(keys(session)).keysOnly())) {
      while (cursor.next()) {
        if (session.screen().interrupted()) {
          say("interrupted at " + count);
          return Interrupt.EXIT;
        }
        count++;
      }
    }
    return print(session, count);
  }

  private int print(Session session, long count) {
    session.out().line(Long.toString(count));
    if (count == 0) {
      sayOtherTables(session);
    }
    return 0;
  }
}
