package io.kvstadium.store;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One backup of a store, as its manifest describes it; see {@link Backups}.
 *
 * @param id ascends with time within its directory
 * @param time when it was begun
 * @param engine of the store
 * @param version of that engine
 * @param location where the store was: a directory, or empty if it was none
 * @param options the store's, from its URL
 * @param form what is stored of it
 * @param entries how many there are, or -1 if that was not counted
 * @param files what it consists of
 * @param written bytes that were copied for it; the others were there from earlier backups, or are
 *     links to files of the store
 */
public record Backup(
    long id,
    Instant time,
    String engine,
    String version,
    String location,
    Map<String, String> options,
    Form form,
    long entries,
    List<File> files,
    long written) {
  /** What is stored of a store. */
  public enum Form {
    /** A copy of its files, which only its engine can read. */
    FILES,
    /** All entries of its tables, which any engine can load. */
    ENTRIES
  }

  /**
   * A file of a backup.
   *
   * @param name in the store's directory
   * @param length in bytes
   * @param sha256 of its content, in hexadecimal digits
   */
  public record File(String name, long length, String sha256) {}

  public Backup {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    files = List.copyOf(files);
  }

  /** The lengths of its files together. */
  public long bytes() {
    return files.stream().mapToLong(File::length).sum();
  }

  /**
   * How many bytes of it were there already, in earlier backups or by {@link BackupOptions#links}.
   */
  public long shared() {
    return bytes() - written;
  }

  /** The URL of the store, once it is restored to a directory. */
  public String url(Path directory) {
    return new StoreUrl(engine, directory.toString(), options).toString();
  }
}
