package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.format.BadEntry;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.Item;
import io.kvstadium.transfer.format.RecordReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A directory of files: a key is a file's path below it without its extension, the value is its
 * bytes. If two files differ only in their extensions, all keys keep theirs. Sorted by key; hidden
 * files and symbolic links are left out.
 */
final class DirectorySource implements EntrySource {
  /** The file by which directories of stores are known. */
  private static final String STORE_LOCK = "stadium.lock";

  private final Path path;
  private final int maxBytes;
  private final UnaryOperator<String> keys;

  /** Paths of the files, sorted by key. */
  private final List<String> names;

  private final List<String> unreadable;
  private final List<String> leftOut;
  private final String described;

  private DirectorySource(Path path, int maxBytes, DirectoryFiles files) {
    this.path = path;
    this.maxBytes = maxBytes;
    List<String> plain = files.names(Comparator.comparing(DirectorySource::withoutExtension));
    boolean unique = true;
    for (int k = 1; unique && k < plain.size(); k++) {
      unique = !withoutExtension(plain.get(k - 1)).equals(withoutExtension(plain.get(k)));
    }
    this.keys = unique ? DirectorySource::withoutExtension : UnaryOperator.identity();
    this.names = unique ? plain : files.names(Comparator.naturalOrder());
    this.unreadable = files.unreadable();
    this.leftOut = files.leftOut();
    boolean deep = names.stream().anyMatch(name -> name.indexOf('/') >= 0);
    this.described =
        (deep ? "file path" : "file name")
            + (unique ? " without extension" : " with extension, because some differ only in it");
  }

  /**
   * Finds the files of a directory.
   *
   * @param recurse whether its sub-folders are read too
   * @throws BadArgumentException if it has no files, or is a store
   */
  public static DirectorySource list(Path path, Columns columns, boolean recurse) {
    if (columns.key() != null || columns.value() != null) {
      throw new BadArgumentException(
          path
              + " is a directory, whose keys are the names of its files: leave out the key and the"
              + " value");
    }
    if (columns.table() != null && !columns.table().equals(Store.DEFAULT_TABLE)) {
      throw new BadArgumentException(
          path + " is a directory, which has no tables: leave out the table");
    }
    if (Files.exists(path.resolve(STORE_LOCK))) {
      throw new BadArgumentException(
          path + " holds a store: give its URL, such as rocksdb:" + path);
    }
    DirectoryFiles files = DirectoryFiles.list(path, recurse);
    files.checkNotEmpty();
    return new DirectorySource(path, columns.maxBytes(), files);
  }

  private static String withoutExtension(String name) {
    int dot = name.lastIndexOf('.');
    return dot <= name.lastIndexOf('/') ? name : name.substring(0, dot);
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public String format() {
    return "directory";
  }

  @Override
  public boolean hasUniqueKeys() {
    return true;
  }

  /** Files without a valid name come last. */
  @Override
  public SourceReader read() {
    return new Entries();
  }

  private final class Entries implements SourceReader {
    private int next;

    @Override
    public @Nullable Item next() {
      int now = next++;
      if (now >= names.size() + unreadable.size()) {
        return null;
      }
      if (now >= names.size()) {
        throw new BadEntry(unreadable.get(now - names.size()));
      }
      return entry(names.get(now));
    }

    @Override
    public List<String> leftOut() {
      return leftOut;
    }

    @Override
    public Map<String, String> describe() {
      return Map.of("key", described);
    }

    @Override
    public void close() {}
  }

  private Item entry(String name) {
    Path file = path.resolve(name);
    try {
      long size = Files.size(file);
      if (size > maxBytes) {
        throw new BadEntry(
            file
                + " has "
                + size
                + " bytes, more than the longest value accepted ("
                + maxBytes
                + "): split or remove it");
      }
      return new Item(
          Store.DEFAULT_TABLE,
          RecordReader.utf8(keys.apply(name), file.toString()),
          Files.readAllBytes(file));
    } catch (BadArgumentException e) {
      throw BadEntry.of(e);
    } catch (IOException e) {
      throw new BadEntry(file + " cannot be read (" + e + "): check who may read it", e);
    }
  }
}
