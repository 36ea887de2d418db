package io.kvstadium.cli.engines;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.internal.open.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** Stores that a copy or an import is filling, or has left unfinished. */
public final class Incomplete {
  private Incomplete() {}

  /**
   * Uses a URL that opens the store as it is, complete or not. Errors name the URL that the user
   * gave.
   */
  public static <T> T admitting(String url, Function<String, T> use) {
    String admitting = StoreUrl.parse(url).with("incomplete", "true").toString();
    try {
      return use.apply(admitting);
    } catch (BadArgumentException e) {
      throw new BadArgumentException(of(e, admitting, url), e);
    } catch (UnsupportedException e) {
      throw new UnsupportedException(of(e, admitting, url), e);
    }
  }

  /**
   * Uses a store, creating it if missing. A store created here is removed again if the use fails
   * before anything was written to it.
   */
  public static <T> T filling(Engines engines, String url, Function<Store, T> use) {
    Path place = engines.config(url).path();
    boolean isNew = place != null && Files.notExists(place);
    boolean untouched = false;
    try (Store store = engines.open(url, OpenOptions.DEFAULT)) {
      try {
        return use.apply(store);
      } catch (StadiumException e) {
        untouched = isNew && Stores.incomplete(store) == null && Stores.isEmpty(store);
        throw e;
      }
    } finally {
      if (untouched) {
        engines.destroy(url);
      }
    }
  }

  private static String of(RuntimeException e, String admitting, String url) {
    return String.valueOf(e.getMessage()).replace(admitting, url);
  }
}
