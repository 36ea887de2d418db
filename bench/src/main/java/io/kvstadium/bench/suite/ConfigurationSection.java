package io.kvstadium.bench.suite;

import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.store.Durability;
import io.kvstadium.store.internal.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads {@code [[experiment.configuration]]}: one configuration, or one for each combination if it
 * names several engines, levels or option values.
 */
final class ConfigurationSection {
  private static final List<String> LEVELS =
      Arrays.stream(Durability.values()).map(Durability::word).toList();

  /** Options that would take from a trial the heap that all have. */
  private static final Pattern HEAP =
      Pattern.compile("-Xm[sx].*|-XX:(Max|Min|Initial)(Heap|RAM).*");

  private ConfigurationSection() {}

  static List<Configuration> read(Section section) {
    List<String> engines = section.texts("engine", List.of());
    if (engines.isEmpty()) {
      throw section.error(
          "a configuration has no 'engine': add engine = \"…\", or several: [\"rocksdb\", \"lmdb\"]");
    }
    List<String> levels = section.texts("durability", List.of(Durability.CONSISTENT.word()));
    for (String level : levels) {
      if (!LEVELS.contains(level)) {
        throw section.wrong(
            "durability", "one of " + String.join(", ", LEVELS) + Nearest.hint(level, LEVELS));
      }
    }
    String name = section.text("name", null);
    Access access = access(section);
    String location = location(section);
    String group = section.text("group", null);
    Map<String, String> reopen = section.options("reopen");
    Map<String, List<String>> options = section.choices("options");
    if (options.containsKey("durability") || reopen.containsKey("durability")) {
      throw section.error(
          "durability is not an option here: it is a key next to options and reopen");
    }
    List<String> jvm = jvm(section);
    section.refuseOthers();
    List<Configuration> configurations = new ArrayList<>();
    for (String engine : engines) {
      for (Map<String, String> chosen : combinations(options)) {
        for (String level : levels) {
          StringBuilder title = new StringBuilder(name == null ? engine : name);
          if (name != null && engines.size() > 1) {
            title.insert(0, engine + ", ");
          }
          options.forEach((option, values) -> {
            if (values.size() > 1) {
              title.append(", ").append(option).append('=').append(chosen.get(option));
            }
          });
          if (levels.size() > 1) {
            title.append(", ").append(level);
          }
          String compared = group != null ? group : levels.size() > 1 ? group(level) : "equal";
          configurations.add(
              new Configuration(
                      title.toString(), engine, chosen, Durability.of(level), access, compared)
                  .reopenedWith(reopen)
                  .at(location)
                  .withJvm(jvm));
        }
      }
    }
    return configurations;
  }

  /** Each level is a separate group; the engines' own settings are the group {@code default}. */
  private static String group(String level) {
    return level.equals(Durability.ENGINE_DEFAULT.word()) ? "default" : level;
  }

  private static Access access(Section section) {
    List<Access> all = List.of(Access.values());
    List<String> words = all.stream().map(Access::word).toList();
    return all.get(words.indexOf(section.word("access", "single", words)));
  }

  private static String location(Section section) {
    String location = section.text("location", "");
    if (location == null) {
      return "";
    }
    if (location.contains("?")) {
      throw section.wrong("location", "no '?': put options into the table `options`");
    }
    if (Configuration.hasPassword(location)) {
      throw section.wrong("location", "no password, as reports show it: see the engine's options");
    }
    return location;
  }

  private static List<String> jvm(Section section) {
    List<String> flags = section.texts("jvm", List.of());
    for (String each : flags) {
      if (HEAP.matcher(each).matches()) {
        throw section.wrong("jvm", "no sizes of the heap: set heap of the suite, or --memory");
      }
      if (!each.startsWith("-X")) {
        throw section.wrong("jvm", "options that begin with -X, such as [\"-XX:+UseZGC\"]");
      }
    }
    return flags;
  }

  /** Every combination of one value for each option, with the last option changing fastest. */
  private static List<Map<String, String>> combinations(Map<String, List<String>> options) {
    List<Map<String, String>> combinations = List.of(Map.of());
    for (Map.Entry<String, List<String>> option : options.entrySet()) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> begun : combinations) {
        for (String value : option.getValue()) {
          Map<String, String> chosen = new LinkedHashMap<>(begun);
          chosen.put(option.getKey(), value);
          longer.add(chosen);
        }
      }
      combinations = longer;
    }
    return combinations;
  }
}
