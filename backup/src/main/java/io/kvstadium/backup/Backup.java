package io.kvstadium.backup;

import io.kvstadium.store.StoreUrl;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One backup of a store, as its manifest describes it; see {@link Backups}.
 *
 * @param id a number that increases with time within its directory
 * @param time when the backup was started
 * @param engine the store's engine
 * @param version the version of that engine
 * @param location the directory of the store, or empty if it had none
 * @param options the store's options, from its URL
 * @param form what the backup stores
 * @param entries the number of entries, or -1 if they were not counted
 * @param files the files that make it up
 * @param written the bytes that were copied for it; the rest was there from earlier backups
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
  /** What a backup stores. */
  public enum Form {
    /** A copy of its files, which only its engine can read. */
    FILES,
    /** All entries of its tables, which any engine can load. */
    ENTRIES
  }

  /**
   * A file of a backup.
   *
   * @param name its name in the store's directory
   * @param length its length in bytes
   * @param sha256 the SHA-256 of its content, in hexadecimal digits
   */
  public record File(String name, long length, String sha256) {}

  public Backup {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    files = List.copyOf(files);
  }

  /** The total length of its files. */
  public long bytes() {
    return files.stream().mapToLong(File::length).sum();
  }

  /** How many of its bytes were not copied, because they were in earlier backups. */
  public long shared() {
    return bytes() - written;
  }

  /** The URL of the store once it is restored to the given directory. */
  public String url(Path directory) {
    return new StoreUrl(engine, directory.toString(), options).toString();
  }

  /** In a line; the components say the rest. */
  @Override
  public String toString() {
    return "backup %d of %s: %s of %s %s, %d bytes in %d files"
        .formatted(
            id, time, form.name().toLowerCase(Locale.ROOT), engine, version, bytes(), files.size());
  }
}
