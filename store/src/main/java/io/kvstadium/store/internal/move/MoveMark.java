package io.kvstadium.store.internal.move;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreUrl;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What the directory of each of the two stores says of a move. The old store's is the truth: the
 * new store's follows it, and says on its own only whether it was used.
 *
 * @param id tells the move from all others
 * @param origin the old store, with an absolute path
 * @param target the new store, with an absolute path
 */
public record MoveMark(String id, StoreUrl origin, StoreUrl target, Stage stage) {
  /** The file that holds it. */
  public static final String FILE = "stadium.move";

  /**
   * The file that forbids to open an incomplete store; its text begins with {@link #GUARD_TEXT} if
   * it only keeps away versions of this library that know nothing of moves.
   */
  public static final String GUARD = "stadium.incomplete";

  public static final String GUARD_TEXT = "a move of the store";

  /** Which store has the data. */
  public enum Stage {
    /** The old one, and the new one follows. */
    BEGUN,
    /** The new one, and the old one follows. */
    OVER,
    /** The new one alone. */
    FINISHED,
    /** The old one alone. */
    CANCELLED
  }

  public MoveMark at(Stage newStage) {
    return new MoveMark(id, origin, target, newStage);
  }

  /** Whether a directory is the old store's. */
  public boolean isOrigin(Path directory) {
    return isSame(directory, originPath());
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return one.toAbsolutePath().normalize().equals(other)
          || (Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other));
    } catch (IOException e) {
      throw new StoreIoException("cannot compare " + one + " with " + other + ": " + e, e);
    }
  }

  public Path originPath() {
    return Path.of(origin.location());
  }

  public Path targetPath() {
    return Path.of(target.location());
  }

  /** Whether the two stores are still bound to each other. */
  public boolean isOn() {
    return stage == Stage.BEGUN || stage == Stage.OVER;
  }

  /** What a directory says, or {@code null} if it is not part of a move. */
  public static @Nullable MoveMark read(Path directory) {
    Path file = directory.resolve(FILE);
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(Files.readString(file)));
      return new MoveMark(
          properties.getProperty("id", ""),
          StoreUrl.parse(properties.getProperty("origin")),
          StoreUrl.parse(properties.getProperty("target")),
          Stage.valueOf(properties.getProperty("stage", "").toUpperCase(Locale.ROOT)));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      if (Files.notExists(file)) {
        return null; // the store is a file, or there is none
      }
      throw new StoreIoException("cannot read " + file + ": " + e, e);
    } catch (RuntimeException e) {
      throw new CorruptException(
          file + " is damaged (" + e.getMessage() + "): it says which of two stores has the data",
          e);
    }
  }

  /** Writes it, and keeps older versions away; on disk when it returns. */
  public void write(Path directory) {
    Properties properties = new Properties();
    properties.setProperty("id", id);
    properties.setProperty("origin", origin.toString());
    properties.setProperty("target", target.toString());
    properties.setProperty("stage", stage.name().toLowerCase(Locale.ROOT));
    StringWriter text = new StringWriter();
    try {
      properties.store(text, null);
      DurableFile.replace(directory.resolve(FILE), text.toString());
      Path guard = directory.resolve(GUARD);
      if (Files.notExists(guard)) {
        DurableFile.replace(
            guard,
            "%s %s to %s by a newer version of KV Stadium (to end it there: stadium move)%n"
                .formatted(GUARD_TEXT, origin, target));
      }
      DurableFile.syncNames(directory);
    } catch (IOException e) {
      throw new StoreIoException("cannot write " + directory.resolve(FILE) + ": " + e, e);
    }
  }

  /** The directory is not part of a move any more. */
  public static void remove(Path directory) {
    try {
      Files.deleteIfExists(directory.resolve(GUARD));
      DurableFile.syncNames(directory);
      Files.deleteIfExists(directory.resolve(FILE));
      DurableFile.syncNames(directory);
    } catch (IOException e) {
      throw new StoreIoException("cannot remove " + directory.resolve(FILE) + ": " + e, e);
    }
  }
}
