package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.Item;
import io.kvstadium.transfer.source.SourceReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A source that trials can work on: with one table, and with entries that fit into their memory.
 */
public record SingleTable(EntrySource all) implements EntrySource {
  @Override
  public String name() {
    return all.name();
  }

  @Override
  public String format() {
    return all.format();
  }

  @Override
  public boolean isRepeatable() {
    return all.isRepeatable();
  }

  @Override
  public SourceReader read() {
    return new Checked(all.name(), all.read());
  }

  private static final class Checked implements SourceReader {
    private final String name;
    private final SourceReader all;
    private @Nullable String table;

    Checked(String name, SourceReader all) {
      this.name = name;
      this.all = all;
    }

    @Override
    public @Nullable Item next() {
      Item item = all.next();
      if (item == null) {
        return null;
      }
      String before = table;
      table = item.table();
      if (before != null && !before.equals(table)) {
        throw new BadArgumentException(
            name
                + " has several tables, "
                + before
                + " and "
                + table
                + " among them: give the one to measure with as --table");
      }
      if (item.key().length == 0) {
        throw new BadArgumentException(
            name + " has an entry with an empty key, which not all engines take: leave it out");
      }
      if (item.value().length > EntryFile.MAX_VALUE_BYTES
          || item.key().length > EntryFile.MAX_VALUE_BYTES) {
        throw new BadArgumentException(
            name
                + " has an entry of "
                + ((long) item.key().length + item.value().length)
                + " bytes, more than a trial keeps in memory ("
                + EntryFile.MAX_VALUE_BYTES
                + "): leave it out");
      }
      return item;
    }

    @Override
    public Set<String> tables() {
      return all.tables();
    }

    @Override
    public List<String> leftOut() {
      return all.leftOut();
    }

    @Override
    public List<String> skipped() {
      return all.skipped();
    }

    @Override
    public Map<String, String> describe() {
      return all.describe();
    }

    @Override
    public double share() {
      return all.share();
    }

    @Override
    public void close() {
      all.close();
    }
  }
}
