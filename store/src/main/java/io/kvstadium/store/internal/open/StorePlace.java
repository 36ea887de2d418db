package io.kvstadium.store.internal.open;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where an open store is, and what is written there beside the engine's files.
 *
 * @param directory the store's directory, or {@code null} if it has none
 * @param ours whether it may hold marks of this library: not if another program made the store
 * @param persistent whether it keeps anything: of those that do not, each is its own
 * @param identity what the engine knows the data by, or an empty text
 */
public record StorePlace(
    String url,
    String engine,
    @Nullable Path directory,
    boolean ours,
    boolean readOnly,
    boolean persistent,
    Supplier<String> identity) {

  /** What {@link #markIncomplete} noted, or {@code null}. */
  @Nullable String incomplete() {
    return directory == null || !ours ? null : files(directory).incomplete();
  }

  /** Says what fills the store, or {@code null} that it is complete. */
  void markIncomplete(@Nullable String why) {
    if (directory != null && ours) {
      files(directory).markIncomplete(why);
    }
  }

  /** Refuses to copy what is not complete. */
  void refuseIncomplete() {
    String filling = incomplete();
    if (filling != null) {
      throw new BadArgumentException(
          "%s is not complete: %s has not finished: back it up when that is done"
              .formatted(url, filling.lines().findFirst().orElse("what fills it")));
    }
  }

  /** Refuses a place that is not apart from the store's files. */
  void checkApart(Path place) {
    if (directory != null) {
      StoreFiles.checkApart(url, directory, place);
    }
  }

  /** Refuses a store with the same data, under whatever name. */
  void checkApart(StorePlace other) {
    if (other.directory != null) {
      checkApart(other.directory);
    } else if (directory == null
        && persistent
        && engine.equals(other.engine)
        && data().equals(other.data())) {
      throw new BadArgumentException(
          other.url + " is the store " + url + " itself: name another one");
    }
  }

  /** What tells a store without a directory from all others of its engine. */
  private String data() {
    String known = identity.get();
    return known.isEmpty() ? StoreUrl.parse(url).location() : known;
  }

  /** What tells it from all other stores, or {@code null} if nothing but its place does. */
  public @Nullable String storeId() {
    return directory == null ? engine + " " + data() : files(directory).identity(!readOnly);
  }

  /** The options to open a copy with; of a store elsewhere they may hold a password. */
  public Map<String, String> copyOptions() {
    if (directory == null) {
      return Map.of();
    }
    Map<String, String> options = new LinkedHashMap<>(StoreUrl.parse(url).options());
    options.remove(UrlOptions.READ_ONLY);
    options.remove(UrlOptions.INCOMPLETE);
    options.keySet().removeAll(UrlOptions.RECORDING);
    options.keySet().removeAll(UrlOptions.MOVE);
    return options;
  }

  /** Makes a copy of the store's files a store. */
  void markCopy(Path copy) {
    if (directory != null) {
      try {
        files(directory).markAsThis(copy);
      } catch (IOException e) {
        throw new StoreIoException(copy + ": cannot be written: " + e, e);
      }
    }
  }

  /** The total length of its files; 0 without a directory. */
  long size() {
    return directory == null ? 0 : files(directory).size();
  }

  private StoreDirectory files(Path path) {
    return new StoreDirectory(path, url);
  }
}
