package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A directory of files: a key is a file's name without its extension, the value its bytes. Only the
 * regular files in the directory itself, sorted by key; hidden ones are left out.
 */
public final class DirectoryDataset implements Dataset {
  private final Path path;
  private final DatasetOptions options;

  /** Names of the files, sorted by key. */
  private final List<String> names;

  DirectoryDataset(Path path, DatasetOptions options) {
    this.path = path;
    this.options = options;
    this.names = list(path);
    for (int k = 1; k < names.size(); k++) {
      if (key(names.get(k - 1)).equals(key(names.get(k)))) {
        throw new BadArgumentException(
            path.resolve(names.get(k - 1))
                + " and "
                + path.resolve(names.get(k))
                + " would have the same key '"
                + key(names.get(k))
                + "': rename or remove one");
      }
    }
  }

  private static List<String> list(Path path) {
    List<String> names = new ArrayList<>();
    int others = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (!name.startsWith(".") && Files.isRegularFile(file)) {
          names.add(name);
        } else {
          others++;
        }
      }
    } catch (DirectoryIteratorException e) {
      throw Dataset.failed(path, new IOException(e));
    } catch (IOException e) {
      throw Dataset.failed(path, e);
    }
    if (names.isEmpty()) {
      throw new BadArgumentException(
          "The directory "
              + path.toAbsolutePath()
              + " has no files"
              + (others == 0 ? "" : ", only " + others + " hidden or other things")
              + ": give one with a file per entry (subdirectories are not searched)");
    }
    names.sort(Comparator.comparing(DirectoryDataset::key).thenComparing(name -> name));
    return names;
  }

  private static String key(String name) {
    int dot = name.lastIndexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  @Override
  public Path path() {
    return path;
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
  public @Nullable Entry entryAt(long ordinal) {
    return ordinal < names.size() ? entry(names.get((int) ordinal)) : null;
  }

  @Override
  public EntryIterator entries() {
    return new EntryIterator() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < names.size();
      }

      @Override
      public Entry next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return entry(names.get(next++));
      }

      @Override
      public void close() {}
    };
  }

  private Entry entry(String name) {
    Path file = path.resolve(name);
    String key = key(name);
    if (key.indexOf('\uFFFD') >= 0) {
      throw new BadArgumentException(
          file + ": the name cannot be read as text; rename it, or set LC_ALL=C.UTF-8");
    }
    try {
      long size = Files.size(file);
      if (size > options.maxValueBytes()) {
        throw new BadArgumentException(
            file
                + " has "
                + size
                + " bytes, more than the longest value accepted ("
                + options.maxValueBytes()
                + "): raise the limit or remove the file");
      }
      byte[] keyBytes = KeyEncoder.encode(key, options.encoding(), file.toString());
      return new Entry(keyBytes, Files.readAllBytes(file));
    } catch (IOException e) {
      throw Dataset.failed(file, e);
    }
  }
}
