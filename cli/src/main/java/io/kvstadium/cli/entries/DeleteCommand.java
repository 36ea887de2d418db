package io.kvstadium.cli.entries;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Table;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stadium delete}: removes entries. */
@Command(
    name = "delete",
    description = {
      "Removes the entries of the given keys, or of a range.",
      "It says how many a range had. A missing key is not an error."
    })
public final class DeleteCommand extends EntryCommand {
  @Mixin private Selection selection;

  @Parameters(index = "1..*", arity = "0..*", paramLabel = "KEY", description = "As --keys says.")
  private List<String> given = new ArrayList<>();

  @Override
  public Session.Access access() {
    return Session.Access.WRITE;
  }

  @Override
  public int run(Session session) {
    TextCodec codec = keys(session);
    if (given.isEmpty() != selection.isGiven()) {
      throw new BadArgumentException(
          "name either keys, or a range with --from, --to or --prefix; --prefix \"\" is the whole"
              + " table");
    }
    Table<byte[], byte[]> table = session.tableToWrite(table(session), false);
    if (!selection.isGiven()) {
      List<byte[]> keys = given.stream().map(codec::encode).toList();
      for (byte[] key : keys) {
        if (!session.collect(batch -> batch.delete(table, key))) {
          table.delete(key);
        }
      }
      return 0;
    }
    Range<byte[]> range = selection.range(codec);
    if (!session.collect(batch -> batch.delete(table, range))) {
      long deleted = table.delete(range);
      session.out().line(Long.toString(deleted));
      if (deleted == 0) {
        sayOtherTables(session);
      }
    }
    return 0;
  }
}
