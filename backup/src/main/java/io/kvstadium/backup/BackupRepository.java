package io.kvstadium.backup;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.engine.help.FileTrees;
import io.kvstadium.store.engine.help.Sync;
import io.kvstadium.store.internal.open.DirectoryLock;
import io.kvstadium.store.internal.open.StoreDirectory;
import io.kvstadium.store.internal.open.StoreFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A directory of backups: manifests by their numbers, and one pool of files by their checksums,
 * which are stored once however many backups have them. A backup exists as soon as its manifest
 * does, which comes last and in one step; anything else that a killed process left is removed by
 * the next backup or removal.
 */
final class BackupRepository {
  private static final String MARKER = "stadium.backups";
  private static final String MANIFESTS = "manifests";
  private static final String POOL = "files";
  private static final String UNFINISHED = "unfinished";
  private static final Pattern ID = Pattern.compile("[1-9]\\d{0,17}");

  private final Path directory;
  private final Runnable step;

  BackupRepository(Path directory) {
    this(directory, () -> {});
  }

  /**
   * @param step called before each change that others could see, for tests
   */
  BackupRepository(Path directory, Runnable step) {
    this.directory = directory;
    this.step = step;
  }

  /** For messages. */
  @Override
  public String toString() {
    return "backups in " + directory;
  }

  void step() {
    step.run();
  }

  /** Where a file of this content is, or would be. */
  Path stored(String sha256) {
    return directory.resolve(POOL).resolve(sha256);
  }

  /** Whether it is there, judging by its length. */
  boolean has(String sha256, long length) throws IOException {
    Path file = stored(sha256);
    return BackupFiles.isFile(file) && Files.size(file) == length;
  }

  /** Where a backup is prepared. */
  Path unfinished() {
    return directory.resolve(UNFINISHED);
  }

  /** The numbers of all backups, ascending. */
  List<Long> ids() {
    refuseForeign();
    try {
      return BackupFiles.list(directory.resolve(MANIFESTS)).stream()
          .map(file -> file.getFileName().toString())
          .filter(name -> ID.matcher(name).matches())
          .map(Long::valueOf)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw BackupFiles.failed(this, e);
    }
  }

  private void refuseForeign() {
    boolean own = Files.exists(directory.resolve(MARKER));
    if (!own && !new StoreDirectory(directory, toString()).isEmpty()) {
      throw new BadArgumentException(
          directory
              + " holds files that are not backups: name the directory of the backups, or an empty"
              + " one for new ones");
    }
  }

  /** The manifest of a backup. */
  BackupManifest manifest(long id) {
    Path file = manifestFile(id);
    try (InputStream in = BackupFiles.in(file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return BackupManifest.parse(file, text);
    } catch (NoSuchFileException e) {
      throw noSuch(id);
    } catch (IOException e) {
      throw BackupFiles.failed(this, e);
    }
  }

  private Path manifestFile(long id) {
    return directory.resolve(MANIFESTS).resolve(Long.toString(id));
  }

  private BadArgumentException noSuch(long id) {
    List<String> ids = ids().stream().map(String::valueOf).toList();
    return new BadArgumentException(
        "there is no backup "
            + id
            + " in "
            + directory
            + "; there are: "
            + (ids.isEmpty() ? "none" : String.join(", ", ids)));
  }

  /** Adds a backup. */
  Backup create(BackupSource source, RateLimiter limiter) {
    refuseForeign();
    refuseInside(source);
    StoreDirectory place = new StoreDirectory(directory, toString());
    place.create();
    try (DirectoryLock _ = lock(place)) {
      layOut();
      place.makeDurable();
      removeLeftovers();
      try {
        return write(source, limiter);
      } catch (IOException | RuntimeException e) {
        removeLeftoversOf(e);
        throw e;
      }
    } catch (IOException e) {
      throw BackupFiles.failed(this, e);
    }
  }

  private void refuseInside(BackupSource source) {
    Path store = source.directory();
    if (store == null) {
      return;
    }
    if (StoreFiles.isWithin(store, directory)) {
      throw new BadArgumentException(
          directory + " is in the directory of the store itself: name one outside of " + store);
    }
    refuseInside(store);
  }

  /** Refuses a store among the backups, where a later backup or removal might delete it. */
  void refuseInside(Path store) {
    if (StoreFiles.isWithin(directory, store)) {
      throw new BadArgumentException(
          store + " is in the directory of the backups, " + directory + ": name another place");
    }
  }

  private DirectoryLock lock(StoreDirectory place) {
    DirectoryLock lock;
    try {
      lock = place.lock(DirectoryLock.Use.ALONE, () -> "");
    } catch (LockedException e) {
      throw new LockedException(
          this + ": another backup or removal is under way there: wait for it to end", e);
    }
    if (lock == null) {
      throw new IllegalStateException("a lock for writing is given or refused");
    }
    return lock;
  }

  private void layOut() throws IOException {
    Path marker = directory.resolve(MARKER);
    if (Files.notExists(marker)) {
      step();
      Files.createFile(marker);
      Sync.force(marker);
    }
    Files.createDirectories(directory.resolve(MANIFESTS));
    Files.createDirectories(directory.resolve(POOL));
  }

  private Backup write(BackupSource source, RateLimiter limiter) throws IOException {
    List<Long> ids = ids();
    BackupManifest newest = newest(ids);
    if (newest != null) {
      refuseOther(source, newest);
    }
    BackupWriter writer = new BackupWriter(this, newest, limiter);
    long entries = source.filling().applyAsLong(writer);
    writer.addWritten();
    Backup backup = writer.backup(ids.isEmpty() ? 1 : ids.getLast() + 1, source, entries);
    BackupFiles.syncNames(directory.resolve(POOL));
    publish(new BackupManifest(backup, source.store(), writer.origins()));
    FileTrees.remove(unfinished());
    return backup;
  }

  /**
   * Refuses a second store: removing old backups would remove those of the first, and restoring the
   * newest would give either. A store that was moved or restored is the same one, until there are
   * two of them.
   */
  private void refuseOther(BackupSource source, BackupManifest newest) {
    if (!isSame(source, newest)) {
      String earlier = newest.backup().location();
      throw new BadArgumentException(
          directory
              + " has backups of another store, "
              + newest.backup().engine()
              + (earlier.isEmpty() ? "" : ":" + earlier)
              + ": name a directory for the backups of this store alone");
    }
  }

  private static boolean isSame(BackupSource source, BackupManifest newest) {
    Path store = source.directory();
    String earlier = newest.backup().location();
    boolean samePlace =
        store == null ? earlier.isEmpty() : !earlier.isEmpty() && isSame(store, Path.of(earlier));
    String id = source.store();
    if (id == null || newest.store() == null) {
      return samePlace;
    }
    if (!id.equals(newest.store())) {
      return false;
    }
    boolean two = id.equals(new StoreDirectory(Path.of(earlier), earlier).identity(false));
    return samePlace || earlier.isEmpty() || !two;
  }

  private static boolean isSame(Path store, Path earlier) {
    try {
      return store.toAbsolutePath().normalize().equals(earlier)
          || (Files.exists(earlier) && Files.isSameFile(store, earlier));
    } catch (IOException e) {
      return false;
    }
  }

  /** The last one that can be read, to find what has not changed. */
  private @Nullable BackupManifest newest(List<Long> ids) {
    for (long id : ids.reversed()) {
      BackupManifest manifest = readable(id);
      if (manifest != null) {
        return manifest;
      }
    }
    return null;
  }

  private @Nullable BackupManifest readable(long id) {
    try {
      return manifest(id);
    } catch (CorruptException e) {
      return null; // verify() and restore() report it; other backups must not suffer
    }
  }

  private void publish(BackupManifest manifest) throws IOException {
    Path file = Files.writeString(unfinished().resolve("manifest"), manifest.text());
    Sync.force(file);
    step();
    Path manifests = directory.resolve(MANIFESTS);
    Files.move(file, manifestFile(manifest.backup().id()), StandardCopyOption.ATOMIC_MOVE);
    BackupFiles.syncNames(manifests);
  }

  private void removeLeftoversOf(Exception failure) {
    try {
      removeLeftovers();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Removes what no backup has. While a manifest cannot be read, nobody knows what it needs, so the
   * pool then stays as it is.
   */
  private void removeLeftovers() throws IOException {
    FileTrees.remove(unfinished());
    Set<String> needed = new HashSet<>();
    for (long id : ids()) {
      BackupManifest manifest = readable(id);
      if (manifest == null) {
        return;
      }
      manifest.backup().files().forEach(file -> needed.add(file.sha256()));
    }
    for (Path file : BackupFiles.list(directory.resolve(POOL))) {
      if (!needed.contains(file.getFileName().toString())) {
        step();
        Files.delete(file);
      }
    }
  }

  /** Removes backups, and what only they have. */
  void delete(List<Long> ids) {
    List<Long> known = ids();
    for (long id : ids) {
      if (!known.contains(id)) {
        throw noSuch(id);
      }
    }
    if (ids.isEmpty()) {
      return;
    }
    try (DirectoryLock _ = lock(new StoreDirectory(directory, toString()))) {
      for (long id : ids) {
        step();
        Files.deleteIfExists(manifestFile(id));
      }
      BackupFiles.syncNames(directory.resolve(MANIFESTS));
      removeLeftovers();
    } catch (IOException e) {
      throw BackupFiles.failed(this, e);
    }
  }

  /** What is wrong with a backup, one sentence each; none if nothing is. */
  List<String> problems(long id) {
    BackupManifest manifest;
    try {
      manifest = manifest(id);
    } catch (CorruptException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
    List<String> problems = new ArrayList<>();
    for (Backup.File file : manifest.backup().files()) {
      String problem = problem(file);
      if (problem != null) {
        problems.add("backup " + id + ", file " + file.name() + ": " + problem);
      }
    }
    return problems;
  }

  private @Nullable String problem(Backup.File file) {
    Path stored = stored(file.sha256());
    if (!BackupFiles.isFile(stored)) {
      return stored + " is missing";
    }
    try {
      BackupFiles.Content content = BackupFiles.content(stored, RateLimiter.free());
      return content.length() != file.length()
          ? stored + " has " + content.length() + " bytes instead of " + file.length()
          : content.sha256().equals(file.sha256())
              ? null
              : stored + " has changed since the backup";
    } catch (IOException e) {
      return stored + " cannot be read (" + e + ")";
    }
  }
}
