package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A directory of files: a key is a file's path below it without its extension, the value is its
 * bytes. If two files differ only in their extensions, all keys keep theirs. Sorted by key; hidden
 * files and symbolic links are left out.
 */
public final class DirectoryDataset implements Dataset {
  /** Opening more files than this takes longer than copying them once. */
  private static final int MANY = 10_000;

  private final Path path;
  private final DatasetOptions options;
  private final UnaryOperator<String> keys;

  /** Paths of the files, sorted by key. */
  private final List<String> names;

  private final List<String> unreadable;
  private final List<String> leftOut;
  private final String described;

  private DirectoryDataset(Path path, DatasetOptions options, DirectoryFiles files) {
    this.path = path;
    this.options = options;
    List<String> plain = files.names(Comparator.comparing(DirectoryDataset::withoutExtension));
    boolean unique = true;
    for (int k = 1; unique && k < plain.size(); k++) {
      unique = !withoutExtension(plain.get(k - 1)).equals(withoutExtension(plain.get(k)));
    }
    this.keys = unique ? DirectoryDataset::withoutExtension : UnaryOperator.identity();
    this.names = unique ? plain : files.names(Comparator.naturalOrder());
    this.unreadable = files.unreadable();
    this.leftOut = files.leftOut();
    boolean deep = names.stream().anyMatch(name -> name.indexOf('/') >= 0);
    this.described =
        (deep ? "file path" : "file name")
            + (unique ? " without extension" : " with extension, because some differ only in it");
  }

  static DirectoryDataset list(Path path, DatasetOptions options) {
    DirectoryFiles files = DirectoryFiles.list(path, options.recurse());
    files.checkNotEmpty();
    return new DirectoryDataset(path, options, files);
  }

  private static String withoutExtension(String name) {
    int dot = name.lastIndexOf('.');
    return dot <= name.lastIndexOf('/') ? name : name.substring(0, dot);
  }

  @Override
  public boolean isSlow() {
    return names.size() > MANY;
  }

  @Override
  public String source() {
    return path.toString();
  }

  @Override
  public String format() {
    return "directory";
  }

  @Override
  public DatasetOptions options() {
    return options;
  }

  @Override
  public Map<String, String> describe() {
    Map<String, String> words = new LinkedHashMap<>(Dataset.super.describe());
    words.put("key", described);
    return words;
  }

  @Override
  public List<String> leftOut() {
    return leftOut;
  }

  @Override
  public @Nullable Entry entryAt(long ordinal) {
    return ordinal < names.size() ? entry(names.get((int) ordinal)) : null;
  }

  /** Files without a valid name come last. */
  @Override
  public EntryIterator scan() {
    return new EntryIterator() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < names.size() + unreadable.size();
      }

      @Override
      public Entry next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        int now = next++;
        if (now >= names.size()) {
          throw new BadEntry(unreadable.get(now - names.size()));
        }
        return entry(names.get(now));
      }

      @Override
      public void close() {}
    };
  }

  private Entry entry(String name) {
    Path file = path.resolve(name);
    try {
      long size = Files.size(file);
      if (size > options.maxValueBytes()) {
        throw new BadEntry(
            file
                + " has "
                + size
                + " bytes, more than the longest value accepted ("
                + options.maxValueBytes()
                + "): split or remove it");
      }
      return new Entry(
          KeyEncoder.encode(keys.apply(name), options.encoding(), file.toString()),
          Files.readAllBytes(file));
    } catch (BadArgumentException e) {
      throw new BadEntry(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new BadEntry(file + " cannot be read (" + e + "): check who may read it", e);
    }
  }
}
