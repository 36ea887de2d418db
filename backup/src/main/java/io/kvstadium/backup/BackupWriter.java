package io.kvstadium.backup;

import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.help.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A backup that is being made: its files go into the pool. */
final class BackupWriter implements BackupTarget {
  private final BackupRepository repository;
  private final Map<String, Backup.File> earlier = new LinkedHashMap<>();
  private final Map<String, String> earlierOrigins;
  private final Instant begun = Instant.now().truncatedTo(ChronoUnit.MILLIS);
  private final Path directory;
  private final Map<String, Backup.File> files = new TreeMap<>();
  private final Map<String, String> origins = new LinkedHashMap<>();
  private final RateLimiter limiter;
  private long written;

  /**
   * @param last the previous backup, or {@code null}
   */
  BackupWriter(BackupRepository repository, @Nullable BackupManifest last, RateLimiter limiter)
      throws IOException {
    this.repository = repository;
    this.limiter = limiter;
    this.earlierOrigins = last == null ? Map.of() : last.origins();
    if (last != null) {
      last.backup().files().forEach(file -> earlier.put(file.name(), file));
    }
    directory = Files.createDirectories(repository.unfinished().resolve("files"));
  }

  @Override
  public Path directory() {
    return directory;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Its failures are reported as failures of the backup, whatever the engine.
   */
  @Override
  public void addImmutable(Path file, String name) {
    try {
      add(file, BackupManifest.checkedName(name));
    } catch (IOException e) {
      throw BackupFiles.failed(repository, e);
    }
  }

  private void add(Path file, String name) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    String origin = origin(attributes);
    Backup.File known = earlier.get(name);
    if (origin != null
        && known != null
        && origin.equals(earlierOrigins.get(name))
        && known.length() == attributes.size()
        && repository.has(known.sha256(), known.length())) {
      files.put(name, known);
    } else {
      Path copy = repository.unfinished().resolve("copy");
      Files.deleteIfExists(copy);
      store(copy, name, BackupFiles.copy(file, copy, limiter));
    }
    if (origin != null) {
      origins.put(name, origin);
    }
  }

  /**
   * What distinguishes a file from any other that was there before, or {@code null} if there is
   * nothing.
   */
  private static @Nullable String origin(BasicFileAttributes attributes) {
    Object key = attributes.fileKey();
    return key == null
        ? null
        : (key + "@" + attributes.lastModifiedTime().toInstant()).replace(" ", "");
  }

  /** Adds what the engine has written into the directory. */
  void addWritten() throws IOException {
    for (Path file : BackupFiles.list(directory)) {
      String name = BackupManifest.checkedName(file.getFileName().toString());
      if (!BackupFiles.isFile(file)) {
        throw new IllegalStateException(
            "an engine gave a backup something that is not a file: " + name);
      }
      Sync.force(file);
      store(file, name, BackupFiles.content(file, limiter));
    }
  }

  /** A copy that is there already is replaced, since it might be damaged. */
  private void store(Path file, String name, BackupFiles.Content content) throws IOException {
    boolean there = repository.has(content.sha256(), content.length());
    repository.step();
    Files.move(file, repository.stored(content.sha256()), StandardCopyOption.ATOMIC_MOVE);
    files.put(name, new Backup.File(name, content.length(), content.sha256()));
    written += there ? 0 : content.length();
  }

  Map<String, String> origins() {
    return origins;
  }

  Backup backup(long id, BackupSource source, long entries) {
    Path store = source.directory();
    return new Backup(
        id,
        begun,
        source.engine(),
        source.version(),
        store == null ? "" : store.toAbsolutePath().normalize().toString(),
        source.options(),
        entries < 0 ? Backup.Form.FILES : Backup.Form.ENTRIES,
        entries,
        files.values().stream().toList(),
        written);
  }
}
