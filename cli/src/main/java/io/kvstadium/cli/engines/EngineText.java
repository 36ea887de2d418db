package io.kvstadium.cli.engines;

import io.kvstadium.bench.text.Units;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.OptionSpec;
import io.kvstadium.torture.evidence.Proofs;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Engines as text for a terminal. */
final class EngineText {
  private static final String LEGACY = "measured and kept right, but not promised for the future";

  private EngineText() {}

  /**
   * Lists the engines that are there, and why some cannot be used.
   *
   * @param doubts why the figures of an engine should be doubted
   * @param others title → other engines, each with what there is to say of it
   */
  static void list(
      Engines engines,
      Function<String, @Nullable String> doubts,
      Map<String, Map<String, String>> others,
      PrintWriter out) {
    Map<String, String> unverified = new LinkedHashMap<>();
    Map<String, String> unusable = new LinkedHashMap<>();
    out.printf("%-13s %-11s %-29s %s%n", "engine", "version", "durability", "can");
    List<EngineInfo> legacy = new ArrayList<>();
    Map<String, Found> all =
        engines.names().parallelStream()
            .collect(Collectors.toConcurrentMap(name -> name, name -> find(engines, name)));
    new TreeMap<>(all)
        .forEach((name, found) -> {
          EngineInfo info = found.info();
          if (info != null && info.legacy()) {
            legacy.add(info);
          } else if (info != null) {
            row(info, out);
          }
          String doubt = info == null ? null : doubts.apply(name);
          if (doubt != null) {
            unverified.put(name, doubt);
          }
          if (found.unusable() != null) {
            unusable.put(name, found.unusable());
          }
        });
    if (!legacy.isEmpty()) {
      out.println();
      out.println("Legacy: " + LEGACY);
      legacy.forEach(info -> row(info, out));
    }
    section("Your own:", unverified, out);
    section("Cannot be used as is:", unusable, out);
    others.forEach((title, names) -> section(title, names, out));
    out.println();
    out.println("'stadium engines NAME' lists an engine's options, durability settings and traps.");
  }

  /**
   * What there is to say of an engine.
   *
   * @param info {@code null} if it cannot be loaded
   * @param unusable why it cannot be used, or {@code null}
   */
  private record Found(@Nullable EngineInfo info, @Nullable String unusable) {}

  /** Loads an engine, with its library: of several, on all processors. */
  private static Found find(Engines engines, String name) {
    try {
      Engine engine = engines.engine(name);
      return new Found(engine.info(), engine.unavailable());
    } catch (BadArgumentException e) {
      return new Found(null, String.valueOf(e.getMessage()));
    }
  }

  private static void section(String title, Map<String, String> lines, PrintWriter out) {
    if (!lines.isEmpty()) {
      out.println();
      out.println(title);
      lines.forEach((name, text) -> wrap("  ", name + ": " + text, out));
    }
  }

  private static void row(EngineInfo info, PrintWriter out) {
    String start =
        "%-13s %-11s %-29s "
            .formatted(
                info.name(),
                Lines.cut(info.version().replaceFirst(",? .*", ""), 11),
                String.join(" ", levels(info)));
    StringBuilder line = new StringBuilder(start);
    String separator = "";
    for (String word : abilities(info)) {
      if (line.length() + separator.length() + word.length() > Lines.WIDTH - 1) {
        out.println(line.append(separator.stripTrailing()));
        line = new StringBuilder(" ".repeat(start.length()));
        separator = "";
      }
      line.append(separator).append(word);
      separator = ", ";
    }
    out.println(line);
  }

  /** What distinguishes engines, in a few words. */
  private static List<String> abilities(EngineInfo info) {
    List<String> words = new ArrayList<>();
    for (Capability capability : info.capabilities()) {
      switch (capability) {
        case WRITE -> words.add("write");
        case ORDERED_SCAN -> words.add("ordered");
        case TABLES -> words.add("tables");
        case BATCH -> words.add("batch");
        case TRANSACTION -> words.add("transact");
        case SERIALIZABLE_SCANS -> words.add("serializable");
        case SNAPSHOT -> words.add("snapshot");
        case BACKUP -> words.add("backup");
        case BULK_LOAD -> words.add("load");
        case SCAN -> {
          if (!info.capabilities().contains(Capability.ORDERED_SCAN)) {
            words.add("scan");
          }
        }
        case OPTIMISTIC_TRANSACTION,
            PESSIMISTIC_TRANSACTION,
            PERSISTENT,
            READ_ONLY,
            ADOPT,
            CONCURRENT_READ_ONLY,
            CHECKSUMS,
            EMPTY_KEY,
            RANGE_DELETE,
            ESTIMATED_COUNT,
            COMPACT,
            RESUME_AFTER_FULL -> {}
      }
    }
    return words;
  }

  /** Prints everything about one engine. */
  static void details(Engine engine, Function<String, @Nullable String> doubts, PrintWriter out) {
    EngineInfo info = engine.info();
    out.println(info.title() + " " + info.version() + " (" + info.licence() + ")");
    wrap("  ", info.description(), out);
    wrap("  ", info.upstream() + (info.legacy() ? " Legacy: " + LEGACY + "." : ""), out);
    String unavailable = engine.unavailable();
    if (unavailable != null) {
      wrap("  ", "Not available: " + unavailable, out);
    }
    String doubt = doubts.apply(info.name());
    if (doubt != null) {
      wrap("  ", doubt, out);
    }
    heading("Capabilities", out);
    wrap(
        "  ",
        String.join(", ", info.capabilities().stream().map(Capability::description).toList()),
        out);
    wrap("  ", "keys of " + limits(info), out);
    String isolation = isolation(info);
    if (!isolation.isEmpty()) {
      wrap("  ", "protected from others' changes " + isolation, out);
    }
    heading("Durability", out);
    info.durability()
        .forEach((level, mapping) ->
            wrap(
                "  ",
                level.word()
                    + ": "
                    + mapping.settings()
                    + (mapping.effective() == level
                        ? ""
                        : " (gives " + mapping.effective().word() + ")")
                    + "; a kill takes "
                    + mapping.kill().words()
                    + ", a power cut "
                    + mapping.cut().words()
                    + "; evidence: "
                    + Proofs.committed().words(info, mapping),
                out));
    heading(
        "Options, as in "
            + StoreUrl.of(info.name(), info.onDisk() ? "directory" : "")
            + "?name=value&name=value",
        out);
    info.options()
        .forEach(option ->
            wrap(
                "  ",
                option.name()
                    + " = "
                    + values(option)
                    + (option.fallback().isEmpty() ? "" : ", default " + option.fallback())
                    + (option.scope() == OptionSpec.Scope.TABLE ? ", per table too" : "")
                    + ": "
                    + option.description(),
                out));
    if (!info.notes().isEmpty()) {
      heading("Notes", out);
      info.notes().forEach(note -> wrap("  ", "- " + note, out));
    }
    out.println();
  }

  /** Returns what an option takes: its choices, or the type of its values and their range. */
  private static String values(OptionSpec option) {
    OptionSpec.Bounds range = option.range();
    return option.choices().isEmpty()
        ? option.type().name().toLowerCase(Locale.ROOT)
            + (range == null ? "" : " " + range.min() + " to " + range.max())
        : String.join("|", option.choices());
  }

  /** The levels that can be asked for, weakest first. */
  private static List<String> levels(EngineInfo info) {
    return info.durability().keySet().stream()
        .filter(level -> level != Durability.ENGINE_DEFAULT)
        .map(Durability::word)
        .toList();
  }

  private static void heading(String text, PrintWriter out) {
    out.println();
    out.println(text);
  }

  private static void wrap(String indent, String text, PrintWriter out) {
    Lines.wrap(indent, text).forEach(out::println);
  }

  /** What transactions protect from others' changes, in each mode that the engine has. */
  private static String isolation(EngineInfo info) {
    return Arrays.stream(TransactionMode.values())
        .filter(mode -> info.capabilities().contains(mode.capability()))
        .map(mode ->
            "in "
                + mode.capability().description()
                + (info.capabilities().contains(Capability.SERIALIZABLE_SCANS)
                    ? ": keys and scans"
                    : ": keys"))
        .collect(Collectors.joining("; "));
  }

  private static String limits(EngineInfo info) {
    return (info.capabilities().contains(Capability.EMPTY_KEY) ? "0" : "1")
        + " to "
        + Units.bytes(info.limits().maxKeyBytes())
        + ", values up to "
        + Units.bytes(info.limits().maxValueBytes());
  }
}
