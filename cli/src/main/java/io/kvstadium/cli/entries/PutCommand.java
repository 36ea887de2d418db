package io.kvstadium.cli.entries;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Table;
import io.kvstadium.store.internal.Why;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium put}: sets a value. */
@Command(name = "put", description = "Sets the value of a key, whether or not it has one.")
public final class PutCommand extends EntryCommand {
  private static final String PIPE = "-";

  @Parameters(index = "1", paramLabel = "KEY", description = "As --keys says.")
  private String key;

  @Parameters(
      index = "2",
      paramLabel = "VALUE",
      description = "As --values says; - for standard input, which is stored as is.")
  private String value;

  @Option(
      names = "--values",
      paramLabel = "CODEC",
      description = "How the value is written (default: auto).")
  private @Nullable String values;

  @Option(names = "--create", description = "Creates the store and the table if missing.")
  private boolean create;

  @Override
  public Session.Access access() {
    return create ? Session.Access.CREATE : Session.Access.WRITE;
  }

  @Override
  public int run(Session session) {
    EntryCodecs codecs = codecs(session, values);
    byte[] keyBytes = codecs.keys().encode(key);
    byte[] valueBytes =
        value.equals(PIPE) ? codecs.values().encodePiped(piped()) : codecs.values().encode(value);
    Table<byte[], byte[]> table = session.tableToWrite(table(session), create);
    if (!session.collect(batch -> batch.put(table, keyBytes, valueBytes))) {
      table.put(keyBytes, valueBytes);
    }
    return 0;
  }

  private byte[] piped() {
    if (isInShell()) {
      throw new BadArgumentException(
          "a shell reads its standard input itself: write 0x2d for the value -");
    }
    try {
      return System.in.readAllBytes();
    } catch (IOException e) {
      throw new StadiumException("cannot read standard input (" + Why.of(e) + ")", e);
    }
  }
}
