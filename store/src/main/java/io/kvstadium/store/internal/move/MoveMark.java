package io.kvstadium.store.internal.move;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Move.State;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreUrl;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What the directory of each of the two stores says of a move. The old store's is the truth: the
 * new store's follows it, and says on its own only whether it was used.
 *
 * @param id tells the move from all others
 * @param isOld whether the directory is the old store's
 * @param from the old store, with an absolute path
 * @param to the new store, with an absolute path
 * @param state {@code CHECKING} for all states in which the old store has the data
 */
public record MoveMark(String id, boolean isOld, StoreUrl from, StoreUrl to, State state) {
  /** The file that holds it. */
  public static final String FILE = "stadium.move";

  /**
   * The file that forbids to open an incomplete store; its text begins with {@link #GUARD_TEXT} if
   * it only keeps away versions of this library that know nothing of moves.
   */
  public static final String GUARD = "stadium.incomplete";

  public static final String GUARD_TEXT = "a move of the store";

  MoveMark at(State newState) {
    return new MoveMark(id, isOld, from, to, newState);
  }

  /** The same for the other directory. */
  public MoveMark of(boolean old) {
    return new MoveMark(id, old, from, to, state);
  }

  /** Where the store was when the move began. */
  public Path place() {
    return Path.of((isOld ? from : to).location());
  }

  /** Whether the two stores are still bound to each other. */
  public boolean isOn() {
    return state == State.CHECKING || state == State.OVER;
  }

  /** Whether the new store has the data. */
  public boolean isOver() {
    return state == State.OVER || state == State.FINISHED;
  }

  /** Whether a directory, which said this, is a copy of the store or was given another name. */
  public boolean isElsewhere(Path directory) {
    try {
      return Files.notExists(place()) || !Files.isSameFile(directory, place());
    } catch (IOException e) {
      throw new StoreIoException("cannot compare " + directory + " with " + place() + ": " + e, e);
    }
  }

  /**
   * What is true of the move, given what a directory says: what the old store's says, or the new
   * one's if that is not there but was used; or {@code null} if it never was.
   */
  public @Nullable MoveMark truth(Path directory) {
    if (isOld) {
      return this;
    }
    MoveMark old = isElsewhere(directory) ? null : read(of(true).place());
    return old != null && old.isOld && old.id.equals(id) ? old : isOver() ? this : null;
  }

  /**
   * Whether a directory, which said this, holds part of a store: its move ended, or never began.
   */
  public boolean isLeftover(Path directory) {
    MoveMark truth = truth(directory);
    return truth == null || (!isOld && truth.state == State.CANCELLED);
  }

  /** What a directory says, or {@code null} if it is not part of a move. */
  public static @Nullable MoveMark read(Path directory) {
    Path file = directory.resolve(FILE);
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(Files.readString(file)));
      return new MoveMark(
          properties.getProperty("id", ""),
          properties.getProperty("store", "").equals("old"),
          StoreUrl.parse(properties.getProperty("from")),
          StoreUrl.parse(properties.getProperty("to")),
          State.valueOf(properties.getProperty("state", "")));
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
    properties.setProperty("store", isOld ? "old" : "new");
    properties.setProperty("from", from.toString());
    properties.setProperty("to", to.toString());
    properties.setProperty("state", state.name());
    try {
      DurableFile.replace(directory.resolve(FILE), DurableFile.text(properties));
      Path guard = directory.resolve(GUARD);
      if (Files.notExists(guard)) {
        DurableFile.replace(
            guard,
            "%s %s to %s by a newer version of KV Stadium (to end it there: stadium move)%n"
                .formatted(GUARD_TEXT, from, to));
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
