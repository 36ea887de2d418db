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
 * @param title what its configurations are called: the URL, and the level if it says one
 * @param url of an engine's name: without location and options
 * @param level what the URL says of durability, if anything; it is none of the URL's options here
 * @param isUrl whether it was a URL
 */
record Named(String title, StoreUrl url, @Nullable Durability level, boolean isUrl) {
  static Named of(String text) {
    if (!text.contains(":")) {
      return new Named(text, StoreUrl.of(text, ""), null, false);
    }
    StoreUrl given = StoreUrl.parse(text);
    if (Configuration.hasPassword(given.location())) {
      throw new BadArgumentException(
          "--engines: no password may stand in the URL, as reports show it: see the options of engine "
              + given.engine());
    }
    Map<String, String> options = new LinkedHashMap<>(given.options());
    String word = options.remove("durability");
    Durability level = word == null ? null : Durability.of(word);
    StoreUrl url = new StoreUrl(given.engine(), given.location(), options);
    return new Named(level == null ? url.toString() : url + ", " + word, url, level, true);
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
        access == Access.RAW ? title + " raw" : title,
        engine(),
        url.options(),
        Map.of(),
        given,
        access,
        url.location(),
        given == usual ? group : given.word());
  }
}
