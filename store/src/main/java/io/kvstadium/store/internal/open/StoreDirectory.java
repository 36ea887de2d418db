package io.kvstadium.store.internal.open;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.FileTrees;
import io.kvstadium.store.engine.help.Sync;
import io.kvstadium.store.internal.move.DurableFile;
import io.kvstadium.store.internal.move.MoveMark;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory of a store: made, marked, made durable, and removed. */
public final class StoreDirectory {
  /** Stays for as long as the store does: a directory without it is of another program. */
  public static final String LOCK_FILE = "stadium.lock";

  /**
   * Says that the store is being made. Nothing was acknowledged yet, so what is beside it when its
   * maker is gone may be removed.
   */
  private static final String NEW_FILE = "stadium.new";

  /** Says which store this is, wherever it is moved. Written by the first backup. */
  public static final String ID_FILE = "stadium.id";

  /** Says that the store is still being filled, and by what. */
  private static final String INCOMPLETE_FILE = MoveMark.GUARD;

  /** What file systems put at their root. */
  private static final String LOST_AND_FOUND = "lost+found";

  /** What an empty directory may hold. */
  private static final Set<String> HARMLESS = Set.of(LOCK_FILE, LOST_AND_FOUND);

  private final Path path;
  private final String url;

  /**
   * Where something was created: the directory itself, and the parents of all that were created for
   * it.
   */
  private final List<Path> changed = new ArrayList<>();

  public StoreDirectory(Path path, String url) {
    this.path = path;
    this.url = url;
  }

  /** Whether there is nothing in it that somebody might miss. */
  public boolean isEmpty() {
    try (Stream<Path> files = Files.list(path)) {
      Set<String> names =
          files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
      return names.contains(NEW_FILE) || HARMLESS.containsAll(names);
    } catch (NoSuchFileException e) {
      return true;
    } catch (AccessDeniedException e) {
      throw new StoreIoException(url + ": " + denied(path) + " to read " + path, e);
    } catch (IOException e) {
      throw new StoreIoException(
          url + ": " + path + " cannot be read as a directory (" + e + "): name another place", e);
    }
  }

  /** Whether it is of this library, as far as it is of anybody. */
  public boolean isMarked() {
    return Files.exists(path.resolve(LOCK_FILE));
  }

  /** Says that what is there is a store of this library. */
  public static void mark(Path directory) throws IOException {
    Files.createFile(directory.resolve(LOCK_FILE));
  }

  public void create() {
    changed.clear();
    boolean made = true;
    for (Path place = path.toAbsolutePath(); made && place != null; place = place.getParent()) {
      changed.add(place);
      made = Files.notExists(place) || Files.exists(place.resolve(NEW_FILE)); // so far
    }
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      String text = url + ": cannot make the directory " + path + " (" + e + "): ";
      throw Failure.ofFiles(e).kind() == Failure.Kind.FULL
          ? new FullException(text + "make room, then try again", e)
          : new StoreIoException(text + "check the path and its permissions", e);
    }
  }

  /**
   * Called before an engine creates its files; in force until {@link #made}. Removes what a maker
   * left that did not get that far. The directory is locked, and holds no store.
   */
  public void begin() {
    Path mark = path.resolve(NEW_FILE);
    try {
      if (isUnfinished()) {
        empty(Set.of(mark, path.resolve(LOCK_FILE), path.resolve(LOST_AND_FOUND)));
      } else {
        Files.createFile(mark);
        if (isPosix()) {
          Sync.force(path);
        }
      }
    } catch (IOException e) {
      throw new StoreIoException(
          "%s: cannot begin a store in %s (%s): check its permissions, and that there is room"
              .formatted(url, path, e),
          e);
    }
  }

  /** Whether there was a {@link #begin}, and no {@link #made}. */
  public boolean isUnfinished() {
    return Files.exists(path.resolve(NEW_FILE));
  }

  /** The store is there, and its place survives a power cut: writes may be acknowledged. */
  public void made() {
    Path mark = path.resolve(NEW_FILE);
    try {
      Files.deleteIfExists(mark);
    } catch (IOException e) {
      throw new StoreIoException(url + ": cannot remove " + mark + ": " + e, e);
    }
    makeDurable();
  }

  private boolean isPosix() {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Makes a copy of the store's files a store. */
  public void markAsThis(Path copy) throws IOException {
    mark(copy);
    if (Files.exists(path.resolve(ID_FILE))) {
      Files.copy(path.resolve(ID_FILE), copy.resolve(ID_FILE));
    }
  }

  /**
   * What tells this store from all others; a copy of the directory says the same.
   *
   * @param make whether it may be made up if there is none
   * @return {@code null} if there is none
   */
  public @Nullable String identity(boolean make) {
    Path file = path.resolve(ID_FILE);
    try {
      if (make && Files.notExists(file)) {
        DurableFile.replace(file, UUID.randomUUID() + "\n");
        DurableFile.syncNames(path); // before others write down that they belong to this store
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      return null; // a read-only medium, or no room: then the place has to do
    }
  }

  /** What fills the store, or {@code null} if it is complete. */
  @Nullable String incomplete() {
    Path file = path.resolve(INCOMPLETE_FILE);
    try {
      String why = Files.readString(file);
      return why.startsWith(MoveMark.GUARD_TEXT) && Files.exists(path.resolve(MoveMark.FILE))
          ? null // the mark of the move says more
          : why;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new StoreIoException(url + ": cannot read " + file + ": " + e, e);
    }
  }

  /** Says what fills it, or {@code null} that it is complete; then that survives a power cut. */
  void markIncomplete(@Nullable String why) {
    Path file = path.resolve(INCOMPLETE_FILE);
    try {
      if (why == null) {
        Files.deleteIfExists(file);
      } else {
        DurableFile.replace(file, why);
      }
      if (isPosix()) {
        Sync.force(path);
      }
    } catch (IOException e) {
      throw new StoreIoException(url + ": cannot write " + file + ": " + e, e);
    }
  }

  /** Refuses to open what is not complete. */
  void refuseIncomplete() {
    String why = incomplete();
    if (why != null) {
      throw new BadArgumentException(
          ("%s: the store in %s is not complete: %s has not finished. Run it again, which resumes a"
                  + " copy, and for an import needs --replace; or open what is there with"
                  + " incomplete=true in the URL. The mark is the file %s in the directory: without"
                  + " it, the store counts as complete")
              .formatted(
                  url, path, why.lines().findFirst().orElse("what filled it"), INCOMPLETE_FILE));
    }
  }

  /** What has to be synced for the directory to survive a power cut, from the inside out. */
  public List<Path> changed() {
    return List.copyOf(changed);
  }

  /**
   * Makes the directory's own entries survive a power cut, and its place in its parents, as far as
   * {@link #create} made them: those that were there before are the responsibility of those who
   * made them. Where a directory cannot be opened as a file, as on Windows, the system does that on
   * its own.
   */
  public void makeDurable() {
    if (!isPosix()) {
      return;
    }
    for (Path directory : changed) {
      try {
        Sync.force(directory);
      } catch (IOException e) {
        throw new StoreIoException(url + ": cannot sync the directory " + directory + ": " + e, e);
      }
    }
  }

  /**
   * Locks the directory, which exists.
   *
   * @param advice for the message if another process has it open
   * @return the lock, or {@code null} if it is only to be read, where nothing can be written
   */
  public @Nullable DirectoryLock lock(DirectoryLock.Use use, Supplier<String> advice) {
    return DirectoryLock.take(path, url, use, advice);
  }

  /** Claims the place within this process, and leaves no trace in it. */
  public DirectoryLock claim() {
    return DirectoryLock.claim(path, url);
  }

  /** Who must give this user a right; the caller adds which. */
  static String denied(Path place) {
    String owner;
    try {
      owner = Files.getOwner(place).getName();
    } catch (IOException | UnsupportedOperationException e) {
      owner = "another user";
    }
    return "it belongs to " + owner + ": run as that user, or have this one given the right";
  }

  /**
   * The total length of its files in bytes; those that vanish meanwhile count as far as they were
   * seen.
   */
  public long size() {
    long[] sum = new long[1];
    try {
      Files.walkFileTree(
          path,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              sum[0] += attributes.size();
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
              if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw e;
            }
          });
    } catch (IOException e) {
      throw new StoreIoException(url + ": cannot tell the size of " + path + ": " + e, e);
    }
    return sum[0];
  }

  /** Removes it with all that it holds; its lock, which the caller holds, last. */
  public void remove() {
    Path lock = path.resolve(LOCK_FILE);
    try {
      empty(Set.of(lock));
      Files.deleteIfExists(lock);
      Files.delete(path);
    } catch (IOException e) {
      throw new StoreIoException(url + ": cannot remove " + path + ": " + e, e);
    }
  }

  /** Removes what it holds except for these, which are directly in it. */
  private void empty(Set<Path> kept) throws IOException {
    List<Path> held;
    try (Stream<Path> files = Files.list(path)) {
      held = files.filter(file -> !kept.contains(file)).toList();
    }
    for (Path file : held) {
      FileTrees.remove(file);
    }
  }
}
