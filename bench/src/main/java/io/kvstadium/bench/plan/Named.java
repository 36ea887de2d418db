package io.kvstadium.bench.plan;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.StoreUrl;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A participant that the user names: an engine's name, or the URL of a store, for example that of a
 * running server, or {@code rocksdb:?option=value} for one in the trial's own directory.
 *
 * @param title what its configurations are called: the URL, and the level if it says one
 * @param url for an engine's name, without location and options
 * @param level what the URL says about durability, if anything; it is not among the URL's options
 *     here
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
          "--engines: the URL must not contain a password, as reports show it: see the"
              + " options of engine "
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
   * Returns its configuration in an experiment.
   *
   * @param usual the level, with its group, unless the URL names another
   */
  Configuration like(Durability usual, Access access, String group) {
    Durability given = level == null ? usual : level;
    String compared = given == usual ? group : given.word();
    return new Configuration(title, engine(), url.options(), given, access, compared)
        .at(url.location());
  }
}
