package io.kvstadium.bench.run;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.StoreUrl;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who is to take part by the user's word: an engine's name, or the URL of a store: that of a server
 * that runs, say, or {@code rocksdb:?option=value} for one in a directory of the trial's own.
 *
 * @param text as written: what its configurations are called
 * @param url of an engine's name: without location and options
 * @param level what the URL says of durability, if anything; it is none of the URL's options here
 */
record Named(String text, StoreUrl url, @Nullable Durability level) {
  static Named of(String text) {
    if (!isUrl(text)) {
      return new Named(text, StoreUrl.of(text, ""), null);
    }
    StoreUrl url = StoreUrl.parse(text);
    if (Configuration.hasPassword(url.location())) {
      throw new BadArgumentException(
          "--engines: no password may stand in the URL, as reports show it: see the options of engine "
              + url.engine());
    }
    Map<String, String> options = new LinkedHashMap<>(url.options());
    String level = options.remove("durability");
    return new Named(
        text,
        new StoreUrl(url.engine(), url.location(), options),
        level == null ? null : Durability.of(level));
  }

  private static boolean isUrl(String text) {
    return text.contains(":");
  }

  boolean isUrl() {
    return isUrl(text);
  }

  String engine() {
    return url.engine();
  }

  /**
   * Its part in an experiment.
   *
   * @param usual the level and the group, where the URL says no other level
   */
  Configuration like(Durability usual, Access access, String group) {
    Durability given = level == null ? usual : level;
    return new Configuration(
        access == Access.RAW ? text + " raw" : text,
        engine(),
        url.options(),
        Map.of(),
        given,
        access,
        url.location(),
        given == usual ? group : given.word());
  }
}
