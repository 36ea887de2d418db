package io.kvstadium.torture.child;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.internal.Why;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a run: stores, disk images and logs. A file in it names its owner, so that the
 * next run can recognize and remove what a killed run left.
 */
public final class Home implements AutoCloseable {
  private static final String PREFIX = "stadium-torture-";
  private static final String OWNER = "owner";

  private final Path directory;
  private final boolean given;

  private Home(Path directory, boolean given) {
    this.directory = directory;
    this.given = given;
  }

  /**
   * Makes one.
   *
   * @param place an empty or nonexistent directory; {@code null} for a temporary one
   * @throws BadArgumentException if the place holds anything that a run did not make
   */
  public static Home at(@Nullable Path place) {
    try {
      if (place == null) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        removeAbandoned(temporary);
        return new Home(Files.createTempDirectory(temporary, PREFIX), false).own();
      }
      Path directory = place.toAbsolutePath().normalize();
      if (Files.exists(directory)) {
        if (isAbandoned(directory)) {
          remove(directory);
        } else if (!isEmptyDirectory(directory)) {
          throw new BadArgumentException(
              directory
                  + " holds something that a torture run did not make: name a directory that is"
                  + " empty or does not exist, or none for a temporary one");
        }
      }
      Files.createDirectories(directory);
      return new Home(directory.toRealPath(), true).own();
    } catch (IOException e) {
      throw new StoreIoException("no directory can be made for the torture run: " + Why.of(e), e);
    }
  }

  private Home own() throws IOException {
    Files.writeString(
        directory.resolve(OWNER), mark(ProcessHandle.current()) + System.lineSeparator());
    return this;
  }

  public Path directory() {
    return directory;
  }

  /** Identifies a process by its number and start time, since numbers are reused. */
  private static String mark(ProcessHandle process) {
    return process.pid()
        + " "
        + process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  public static boolean isEmptyDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  /** Whether a run made it that no longer exists. */
  private static boolean isAbandoned(Path directory) throws IOException {
    Path owner = directory.resolve(OWNER);
    if (!Files.isRegularFile(owner) || Files.size(owner) > 100) {
      return false;
    }
    String mark = Files.readString(owner).strip();
    if (!mark.matches("\\d+ \\d+")) {
      return false;
    }
    Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(mark.split(" ", 2)[0]));
    return process.isEmpty() || !mark(process.get()).equals(mark);
  }

  private static void removeAbandoned(Path temporary) throws IOException {
    List<Path> found;
    try (Stream<Path> files = Files.list(temporary)) {
      found = files.filter(file -> file.getFileName().toString().startsWith(PREFIX)).toList();
    }
    for (Path directory : found) {
      try {
        if (isAbandoned(directory)) {
          remove(directory);
        }
      } catch (NoSuchFileException e) {
        // another run that is just starting removes it
      }
    }
  }

  /** Removes a directory with everything in it, except for what is mounted there. */
  public static void remove(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Object device = Files.getAttribute(directory, "unix:dev");
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path sub, BasicFileAttributes attributes)
              throws IOException {
            if (!Files.getAttribute(sub, "unix:dev").equals(device)) {
              throw new IOException(sub + " is a separate file system: unmount it");
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path sub, @Nullable IOException e)
              throws IOException {
            if (e != null) {
              throw e;
            }
            Files.delete(sub);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Removes it; a directory that the user named is only emptied. */
  @Override
  public void close() {
    try {
      remove(directory);
      if (given) {
        Files.createDirectory(directory);
      }
    } catch (IOException e) {
      throw new StoreIoException("cannot remove " + directory + ": " + Why.of(e), e);
    }
  }
}
