package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.transfer.format.BadEntry;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.Item;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A directory of HaloDB's files. A pass reads all of them for their keys, and then the newest
 * record of each key, file by file.
 */
public final class HaloDbSource implements EntrySource {
  private final Path directory;

  /** Looks at nothing yet. */
  public HaloDbSource(Path directory, Columns columns) {
    if (columns.key() != null
        || columns.value() != null
        || (columns.table() != null && !columns.table().equals(Store.DEFAULT_TABLE))) {
      throw new BadArgumentException(
          directory
              + " is a HaloDB, which has no columns or tables: leave out key, value and table");
    }
    this.directory = directory;
  }

  /** Whether a directory is a HaloDB, and not a store of ours on one. */
  public static boolean isDirectory(Path directory) {
    return Files.exists(directory.resolve("META"))
        && !Files.exists(directory.resolve("stadium.lock"))
        && RecordFiles.areIn(directory);
  }

  @Override
  public String name() {
    return directory.toString();
  }

  @Override
  public String format() {
    return "halodb";
  }

  @Override
  public boolean hasUniqueKeys() {
    return true;
  }

  @Override
  public SourceReader read() {
    try {
      return new Entries(new RecordFiles(directory));
    } catch (IOException e) {
      throw new StoreIoException(
          directory + " cannot be read (" + e + "): check who may read its files", e);
    }
  }

  /** Damaged places come first. */
  private static final class Entries implements SourceReader {
    private final RecordFiles files;
    private final Iterator<String> damaged;
    private final Iterator<RecordFiles.Place> places;
    private boolean closed;

    Entries(RecordFiles files) {
      this.files = files;
      this.damaged = files.damaged().iterator();
      this.places = files.places().iterator();
    }

    @Override
    public @Nullable Item next() {
      if (damaged.hasNext()) {
        throw new BadEntry(
            "a damaged place, " + damaged.next() + ": an older value may appear instead");
      }
      if (!places.hasNext()) {
        return null;
      }
      RecordFiles.Place place = places.next();
      RecordFile file = files.file(place.file());
      RecordFile.Found record = Objects.requireNonNull(file.at(place.offset()), "it was there");
      return new Item(
          Store.DEFAULT_TABLE, file.key(record).toArray(ValueLayout.JAVA_BYTE), file.value(record));
    }

    @Override
    public List<String> leftOut() {
      return files.torn().stream().map(place -> "a torn end, " + place).toList();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        try {
          files.close();
        } catch (IOException e) {
          throw new StoreIoException("HaloDB's lock cannot be given back: " + e, e);
        }
      }
    }
  }
}
