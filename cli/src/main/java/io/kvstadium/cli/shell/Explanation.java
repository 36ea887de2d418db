package io.kvstadium.cli.shell;

import io.kvstadium.bench.report.table.Units;
import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.OptionSpec;
import io.kvstadium.torture.evidence.Proofs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes what an open store is and can do. */
final class Explanation {
  private final Store store;
  private final EngineInfo engine;
  private final boolean writable;
  private final String url;
  private final Map<String, String> given;

  /**
   * @param url the URL that the store was opened with, as given
   */
  Explanation(Session session, String url) {
    this.url = url;
    store = session.store();
    engine = store.engine();
    writable = session.isWritable();
    given = StoreUrl.parse(url).options();
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(url);
    add(lines, "engine", engine + ", " + engine.title() + ", " + engine.licence());
    add(
        lines,
        "open",
        writable ? "for reading and writing" : "for reading; --write opens it for writing");
    add(lines, "size", Units.bytes(store.sizeOnDisk()) + " on disk");
    add(lines, "tables", String.join(", ", store.tables()));
    Limits limits = store.limits();
    add(
        lines,
        "limits",
        "keys of up to "
            + Units.bytes(limits.maxKeyBytes())
            + ", values of up to "
            + Units.bytes(limits.maxValueBytes()));
    DurabilityMapping mapping = mapping();
    add(lines, "durability", store.durability().word());
    if (mapping != null) {
      add(lines, "  by", mapping.settings());
      add(lines, "  a kill", "takes " + mapping.kill().words());
      add(lines, "  a power cut", "takes " + mapping.cut().words());
      add(lines, "  evidence", Proofs.committed().words(engine, mapping));
    }
    Set<Capability> can = store.capabilities();
    Set<Capability> all = engine.capabilities();
    add(lines, "can", words(can::contains));
    add(lines, "not as opened", words(each -> all.contains(each) && !can.contains(each)));
    add(lines, "cannot", words(each -> !all.contains(each) && !can.contains(each)));
    String name = "options";
    for (OptionSpec option : engine.options()) {
      String value = given.get(option.name());
      if (value != null || !option.fallback().isEmpty()) {
        add(
            lines,
            name,
            option.name() + " = " + (value == null ? option.fallback() : value + " (given)"));
        name = "";
      }
    }
    long others =
        engine.options().stream()
            .filter(each -> each.fallback().isEmpty() && !given.containsKey(each.name()))
            .count();
    if (others > 0) {
      add(
          lines,
          name,
          others + " others at the engine's defaults: stadium engines " + engine.name());
    }
    return lines;
  }

  private static void add(List<String> lines, String name, String text) {
    if (text.isEmpty()) {
      return;
    }
    lines.addAll(Lines.wrap("%-14s".formatted(name), 14, text));
  }

  private static String words(Predicate<Capability> which) {
    return Arrays.stream(Capability.values())
        .filter(which)
        .map(Capability::description)
        .collect(Collectors.joining(", "));
  }

  Map<String, Object> asMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("url", url);
    map.put("engine", engine.name());
    map.put("version", engine.version());
    map.put("readOnly", !writable);
    map.put("sizeOnDisk", store.sizeOnDisk());
    map.put("tables", store.tables());
    map.put("limits", store.limits());
    map.put("durability", durability());
    map.put("capabilities", store.capabilities().stream().map(Capability::word).toList());
    Map<String, String> options = new LinkedHashMap<>();
    engine.options().forEach(option -> options.put(option.name(), option.fallback()));
    options.putAll(given);
    map.put("options", options);
    return map;
  }

  private Map<String, String> durability() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("level", store.durability().word());
    DurabilityMapping mapping = mapping();
    if (mapping != null) {
      map.put("settings", mapping.settings());
      map.put("killTakes", mapping.kill().words());
      map.put("powerCutTakes", mapping.cut().words());
      map.put("evidence", Proofs.committed().words(engine, mapping));
    }
    return map;
  }

  /** How the engine provides the level in force, {@code null} if a server does. */
  private @Nullable DurabilityMapping mapping() {
    Durability level = store.durability();
    return engine.durability().get(level);
  }
}
