package io.kvstadium.store.internal.open;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether two places are the same files, whatever they are called: by real paths and the file
 * system's own keys, so that links, mounts and other spellings are seen through.
 */
public final class StoreFiles {
  /** Files that are never changed, so that checkpoints and backups share them by hard links. */
  private static final Pattern IMMUTABLE = Pattern.compile(".*\\.(sst|blob)");

  /** No store is deeper; what is not a store may be. */
  private static final int DEPTH = 4;

  private StoreFiles() {}

  /** Whether a place is a directory, or would be in it; neither need exist. */
  public static boolean isWithin(Path directory, Path place) {
    try {
      Path real = real(place);
      boolean within = real.startsWith(real(directory));
      for (Path at = real; !within && at != null && Files.exists(directory); at = at.getParent()) {
        within = Files.exists(at) && Files.isSameFile(at, directory); // mounted twice
      }
      return within;
    } catch (IOException e) {
      throw cannotCompare(directory, place, e);
    }
  }

  /**
   * Refuses a place for something else that a store has.
   *
   * @param directory the store's directory, or file
   * @param place need not exist
   */
  public static void checkApart(String url, Path directory, Path place) {
    if (isWithin(directory, place)) {
      throw new BadArgumentException(
          place + " is the place of the store " + url + " itself, or in it: name another place");
    }
    Path shared = shared(directory, place);
    if (shared != null) {
      throw new BadArgumentException(
          "%s has files of the store %s, perhaps by a link, such as %s: name another place"
              .formatted(place, url, shared.getFileName()));
    }
  }

  /** The place with all links followed, as far as it exists. */
  private static Path real(Path place) throws IOException {
    Path absolute = place.toAbsolutePath();
    if (Files.exists(absolute)) {
      return absolute.toRealPath();
    }
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    return parent == null || name == null ? absolute : real(parent).resolve(name).normalize();
  }

  /**
   * A file that both places have, which writing to one would change in the other; {@code null} if
   * there is none.
   *
   * @param one a file or a directory; it need not exist
   * @param other the same
   */
  public static @Nullable Path shared(Path one, Path other) {
    try {
      Map<Object, Path> files = files(one);
      files.keySet().retainAll(files(other).keySet());
      return files.values().stream().min(Path::compareTo).orElse(null);
    } catch (IOException e) {
      throw cannotCompare(one, other, e);
    }
  }

  /** The files that may change, by what the file system knows each by. */
  private static Map<Object, Path> files(Path place) throws IOException {
    Map<Object, Path> files = new HashMap<>();
    if (!Files.exists(place)) {
      return files;
    }
    Files.walkFileTree(
        place,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        DEPTH,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile() && !IMMUTABLE.matcher(file.toString()).matches()) {
              Object key = attributes.fileKey(); // none on Windows
              files.put(key == null ? file.toRealPath() : key, file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // vanished meanwhile, or a loop of links
          }
        });
    return files;
  }

  private static StoreIoException cannotCompare(Path one, Path other, IOException e) {
    return new StoreIoException("cannot compare " + one + " with " + other + ": " + e, e);
  }
}
