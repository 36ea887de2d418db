package io.kvstadium.cli;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.UnsupportedException;
import java.util.function.Function;

/** Stores that an interrupted copy or import has left. */
final class Incomplete {
  private Incomplete() {}

  /**
   * Does something with the URL that opens a store as it is, complete or not. What is wrong with it
   * is said of the URL that the user gave.
   */
  static <T> T admitting(String url, Function<String, T> use) {
    String admitting = StoreUrl.parse(url).with("incomplete", "true").toString();
    try {
      return use.apply(admitting);
    } catch (BadArgumentException e) {
      throw new BadArgumentException(of(e, admitting, url), e);
    } catch (UnsupportedException e) {
      throw new UnsupportedException(of(e, admitting, url), e);
    }
  }

  private static String of(RuntimeException e, String admitting, String url) {
    return String.valueOf(e.getMessage()).replace(admitting, url);
  }
}
