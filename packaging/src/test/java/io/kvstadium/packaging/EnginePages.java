package io.kvstadium.packaging;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.OptionSpec;
import io.kvstadium.torture.evidence.Proofs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The pages of {@code docs/engines}: a table to compare the engines by, and a page for each. */
final class EnginePages {
  private static final int KIB = 1024;
  private static final String NO = "–";
  private static final String MADE =
      "<!-- Made by EnginePagesTest of what the engines declare. -->";
  private static final String LEGEND =
      """
      *durability*: the levels that can be asked for; where an engine gives a stronger one than asked for, \
      the table says which. *scan*: `ordered` runs in key order, over ranges and in both directions. \
      *read-only*: `beside a writer` if the store can be open for writing elsewhere at the same time. \
      *bulk load*: a separate way to load many entries; on other engines `load` writes batches. \
      *–*: not offered here, although the engine itself may have it. *legacy*: measured and kept right, but not \
      promised for the future; `./stadium engines NAME` prints its page.
      """;

  private static final String ISOLATION_LEGEND =
      """
      As in Hermitage's tables: *prevented*: the transaction waits, or fails and runs again. *dirty write*: two \
      transactions each win one key; *dirty read*: what was not committed is read; *fuzzy read*, *fuzzy scan*: a repeated \
      one returns something else; *lost update*: two read, and both write; *write skew*: a decision is based on what \
      another changes before the commit; *phantom*: another adds to a range that was scanned. The first five are about \
      keys that are read by `get`, `multiGet` or `contains`, or written (*keys* on the engines' pages), the others about \
      scans (*keys and scans*: then transactions are serializable). *possible*: nothing is promised; an optimistic \
      transaction of RocksDB scans its snapshot, so that repeated scans are the same. The conformance tests play each \
      anomaly against each engine. See [transactions](../guide.md#transactions).
      """;

  private static final List<Column> COLUMNS =
      List.of(
          new Column("engine", info -> linked(info) + (info.legacy() ? ", legacy" : "")),
          new Column("version", EngineInfo::version),
          new Column("licence", EngineInfo::licence),
          new Column("durability", EnginePages::levels),
          new Column("scan", EnginePages::scan),
          Column.of("writes", Capability.WRITE),
          Column.of("tables", Capability.TABLES),
          Column.of("batches", Capability.BATCH),
          new Column("transactions", EnginePages::transactions),
          Column.of("snapshots", Capability.SNAPSHOT),
          new Column("read-only", EnginePages::readOnly),
          Column.of("bulk load", Capability.BULK_LOAD),
          Column.of("compaction", Capability.COMPACT),
          new Column("key, at most", info -> bytes(info.limits().maxKeyBytes())),
          new Column("value, at most", info -> bytes(info.limits().maxValueBytes())));

  private EnginePages() {}

  /** A column of the table: its title, and its text for an engine. */
  private record Column(String title, Function<EngineInfo, String> cell) {
    static Column of(String title, Capability capability) {
      return new Column(title, info -> info.capabilities().contains(capability) ? "yes" : NO);
    }
  }

  /** Returns the table and the pages by file name. */
  static Map<String, String> files(Collection<EngineInfo> engines) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put(
        "comparison.md",
        MADE
            + "\n\n# What the engines can do\n\n"
            + table(engines)
            + "\n"
            + LEGEND
            + "\n# Which anomalies transactions allow\n\n"
            + isolationTable(engines)
            + "\n"
            + ISOLATION_LEGEND);
    for (EngineInfo info : engines) {
      if (!info.legacy()) {
        files.put(info.name() + ".md", MADE + "\n\n" + page(info));
      }
    }
    return files;
  }

  private static String linked(EngineInfo info) {
    return info.legacy() ? info.name() : "[" + info.name() + "](" + info.name() + ".md)";
  }

  /** With more options, an engine's page names those that are just passed on. */
  private static final int MAX_OPTIONS = 20;

  /** One row per engine. */
  static String table(Collection<EngineInfo> engines) {
    StringBuilder text = new StringBuilder();
    rows(
        text,
        COLUMNS.stream().map(Column::title).toList(),
        engines.stream()
            .map(engine -> COLUMNS.stream().map(column -> column.cell().apply(engine)).toList())
            .toList());
    return text.toString();
  }

  /** Whether a level is given by the settings of the stronger one that is in force. */
  private static boolean isThatOfAnother(EngineInfo engine, Durability level) {
    DurabilityMapping mapping = engine.durability().get(level);
    DurabilityMapping given = mapping == null ? null : engine.durability().get(mapping.effective());
    return mapping != null
        && given != null
        && mapping.effective() != level
        && given.settings().equals(mapping.settings());
  }

  /** The anomalies that IsolationTests of the conformance tests plays: which it may meet by key. */
  private static final List<String> BY_KEY =
      List.of("dirty write", "dirty read", "fuzzy read", "lost update", "write skew");

  /** And which by scans. */
  private static final List<String> BY_SCAN =
      List.of("fuzzy scan", "phantom", "write skew of scanned keys");

  private static String isolationTable(Collection<EngineInfo> engines) {
    List<List<String>> rows = new ArrayList<>();
    for (boolean scans : List.of(true, false)) {
      String names =
          engines.stream()
              .filter(engine -> !isolation(engine).isEmpty())
              .filter(
                  engine -> engine.capabilities().contains(Capability.SERIALIZABLE_SCANS) == scans)
              .map(EnginePages::linked)
              .collect(Collectors.joining(", "));
      List<String> row = new ArrayList<>(List.of(names));
      row.addAll(Collections.nCopies(BY_KEY.size(), "prevented"));
      row.addAll(Collections.nCopies(BY_SCAN.size(), scans ? "prevented" : "possible"));
      rows.add(row);
    }
    List<String> head = new ArrayList<>(List.of("transactions of"));
    head.addAll(BY_KEY);
    head.addAll(BY_SCAN);
    StringBuilder text = new StringBuilder();
    rows(text, head, rows);
    return text.toString();
  }

  /** What transactions of this mode protect from others' changes. */
  private static String isolation(EngineInfo info, TransactionMode mode) {
    Set<Capability> has = info.capabilities();
    if (!has.contains(mode.capability())) {
      return NO;
    }
    return has.contains(Capability.SERIALIZABLE_SCANS) ? "keys and scans" : "keys";
  }

  /** The same for each mode that the engine has; empty if it has none. */
  static String isolation(EngineInfo info) {
    return Arrays.stream(TransactionMode.values())
        .filter(mode -> info.capabilities().contains(mode.capability()))
        .map(mode -> "in " + mode.capability().description() + ": " + isolation(info, mode))
        .collect(Collectors.joining("; "));
  }

  /**
   * Returns whether the engine keeps files but makes no guarantee for them, so it must be opened
   * with durability none.
   */
  static boolean promisesNothing(EngineInfo info) {
    return info.capabilities().contains(Capability.PERSISTENT)
        && !info.durability().containsKey(Durability.CONSISTENT);
  }

  /** All that an engine declares. */
  private static String page(EngineInfo info) {
    StringBuilder text = new StringBuilder();
    paragraph(text, "# " + info.title());
    paragraph(text, info.description());
    paragraph(text, info.upstream());
    StoreUrl url = StoreUrl.of(info.name(), info.onDisk() ? "directory" : "");
    paragraph(
        text,
        "Version "
            + info.version()
            + ", licence "
            + info.licence()
            + ". In URLs: `"
            + (promisesNothing(info) ? url.with("durability", "none") : url)
            + "`. Dependency: `io.kvstadium:kv-stadium-engine-"
            + info.name()
            + "`.");
    paragraph(text, "## Capabilities");
    paragraph(text, "[Beside the other engines'](comparison.md).");
    paragraph(text, "Keys of " + limits(info) + ".");
    if (!isolation(info).isEmpty()) {
      paragraph(
          text,
          "Protected from others' changes "
              + isolation(info)
              + " ([what that means](comparison.md#which-anomalies-transactions-allow)).");
    }
    paragraph(text, "## Durability");
    rows(
        text,
        List.of("asked for", "given", "settings", "a kill takes", "a power cut takes", "evidence"),
        durability(info));
    if (!info.options().isEmpty()) {
      paragraph(text, "\n## Options");
      boolean all = info.options().size() <= MAX_OPTIONS;
      rows(
          text,
          List.of("option", "values", "default, – the engine's", "meaning"),
          options(info, option -> all || isOurs(option)));
      if (!all) {
        paragraph(
            text,
            "\n`./stadium engines "
                + info.name()
                + "` has all of them, also these, which are the engine's own by their names (* also per"
                + " table): "
                + info.options().stream()
                    .filter(option -> !isOurs(option))
                    .map(option ->
                        code(option.name()) + (option.scope() == OptionSpec.Scope.TABLE ? "*" : ""))
                    .collect(Collectors.joining(", "))
                + ".");
      }
    }
    if (!info.notes().isEmpty()) {
      paragraph(text, "\n## Notes and traps");
      info.notes().forEach(note -> text.append("- ").append(note).append('\n'));
    }
    return text.toString();
  }

  private static List<List<String>> durability(EngineInfo info) {
    List<List<String>> rows = new ArrayList<>();
    for (Durability level : Durability.values()) {
      DurabilityMapping mapping = info.durability().get(level);
      rows.add(
          mapping == null
              ? List.of(code(level.word()), "refused", NO, NO, NO, NO)
              : isThatOfAnother(info, level)
                  ? List.of(
                      code(level.word()),
                      code(mapping.effective().word()),
                      "as " + code(mapping.effective().word()),
                      "",
                      "",
                      "")
                  : List.of(
                      code(level.word()),
                      code(mapping.effective().word()),
                      mapping.settings(),
                      mapping.kill().words(),
                      mapping.cut().words(),
                      Proofs.committed().words(info, mapping)));
    }
    return rows;
  }

  /** Whether it has a default of ours, or other values are worth trying. */
  private static boolean isOurs(OptionSpec option) {
    return !option.fallback().isEmpty() || option.tuning() != null || option.budget() != null;
  }

  private static List<List<String>> options(EngineInfo info, Predicate<OptionSpec> shown) {
    return info.options().stream()
        .filter(shown)
        .map(option ->
            List.of(
                code(option.name()),
                values(option),
                option.fallback().isEmpty() ? NO : code(option.fallback()),
                option.description()
                    + (option.scope() == OptionSpec.Scope.TABLE ? " (also per table)" : "")))
        .toList();
  }

  /** Such as {@code 1 to 511 bytes, values up to 2 GiB}. */
  static String limits(EngineInfo info) {
    return (info.capabilities().contains(Capability.EMPTY_KEY) ? "0" : "1")
        + " to "
        + bytes(info.limits().maxKeyBytes())
        + ", values up to "
        + bytes(info.limits().maxValueBytes());
  }

  private static String bytes(int count) {
    if (count == Limits.MAX_ARRAY) {
      return "2 GiB";
    }
    if (count % (KIB * KIB) == 0) {
      return count / (KIB * KIB) + " MiB";
    }
    return count % KIB == 0 ? count / KIB + " KiB" : count + " bytes";
  }

  private static String levels(EngineInfo info) {
    List<String> words = new ArrayList<>();
    info.durability()
        .forEach((level, mapping) -> {
          if (level != Durability.ENGINE_DEFAULT) {
            words.add(
                mapping.effective() == level
                    ? level.word()
                    : level.word() + " (gives " + mapping.effective().word() + ")");
          }
        });
    return String.join(", ", words);
  }

  private static String scan(EngineInfo info) {
    Set<Capability> has = info.capabilities();
    return has.contains(Capability.ORDERED_SCAN)
        ? "ordered"
        : has.contains(Capability.SCAN) ? "unordered" : NO;
  }

  private static String transactions(EngineInfo info) {
    List<String> words = new ArrayList<>();
    if (info.capabilities().contains(Capability.OPTIMISTIC_TRANSACTION)) {
      words.add("optimistic");
    }
    if (info.capabilities().contains(Capability.PESSIMISTIC_TRANSACTION)) {
      words.add("pessimistic");
    }
    return words.isEmpty() ? NO : String.join(", ", words);
  }

  private static String readOnly(EngineInfo info) {
    Set<Capability> has = info.capabilities();
    return has.contains(Capability.CONCURRENT_READ_ONLY)
        ? "beside a writer"
        : has.contains(Capability.READ_ONLY) ? "yes" : NO;
  }

  private static String code(String text) {
    return "`" + text + "`";
  }

  private static void paragraph(StringBuilder text, String line) {
    text.append(line).append("\n\n");
  }

  private static void rows(StringBuilder text, List<String> head, List<List<String>> rows) {
    row(text, head);
    row(text, head.stream().map(_ -> "---").toList());
    rows.forEach(row -> row(text, row));
  }

  private static void row(StringBuilder text, List<String> cells) {
    text.append('|');
    cells.forEach(cell -> text.append(' ').append(cell.replace("|", "\\|")).append(" |"));
    text.append('\n');
  }

  /** Returns what an option takes: its choices, or the type of its values and their range. */
  private static String values(OptionSpec option) {
    OptionSpec.Bounds range = option.range();
    return option.choices().isEmpty()
        ? option.type().name().toLowerCase(Locale.ROOT)
            + (range == null ? "" : " " + range.min() + " to " + range.max())
        : String.join("|", option.choices());
  }
}
