package io.kvstadium.cli.verify;

import io.kvstadium.bench.report.table.Json;
import io.kvstadium.bench.text.Units;
import io.kvstadium.cli.engines.Incomplete;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.engines.ReadOnly;
import io.kvstadium.cli.io.Escapes;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.internal.Why;
import io.kvstadium.store.internal.open.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium stat}: shows what is in a store. */
@Command(
    name = "stat",
    description = {
      "Says what a store holds: tables, entries, lengths, files.",
      "And the engine's own figures.",
      "Opens it read-only if the engine can, and alongside a program that writes to it if the"
          + " engine allows that."
    })
public final class StatCommand implements Callable<Integer> {
  /** How many files and figures fit on a screen. */
  private static final int FILES = 6;

  private static final int FIGURES = 8;
  private static final int FIGURE = 60;
  private static final double MEDIAN = 50;
  private static final double P99 = 99;
  private static final double MAX = 100;

  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Parameters(paramLabel = "URL", description = "URL of the store.")
  private String url;

  @Option(
      names = "--exact",
      description = "Reads every entry, to count them and to know all lengths.")
  private boolean exact;

  @Option(names = "--json", description = "Prints JSON, with all files and figures.")
  private boolean json;

  /** A file of the store's directory. */
  private record StoreFile(String name, long bytes) {}

  @Override
  public Integer call() {
    Engines engines = installed.engines();
    StoreConfig config = engines.config(url);
    Path directory = config.path();
    PrintWriter out = spec.commandLine().getOut();
    boolean damaged = false;
    try (Store store = Incomplete.admitting(url, own -> ReadOnly.open(engines, own))) {
      List<TableStatistics> tables = new ArrayList<>();
      Map<String, String> unreadable = new TreeMap<>(Stores.unreadable(store));
      for (String name : store.tables()) {
        try {
          tables.add(TableStatistics.of(store, name, exact));
        } catch (CorruptException e) {
          // in others' tables, what is not bytes; it may be the only such value
          unreadable.put(name, String.valueOf(e.getMessage()));
          damaged |= !config.adopt();
        }
      }
      List<StoreFile> files = directory == null ? List.of() : files(directory);
      if (json) {
        out.println(json(store, tables, unreadable, files));
      } else {
        print(store, tables, unreadable, files, out);
      }
    }
    out.flush();
    return damaged ? ExitCode.USAGE : ExitCode.OK;
  }

  private static List<StoreFile> files(Path directory) {
    List<StoreFile> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(directory)) {
      all.filter(Files::isRegularFile)
          .map(
              file -> // 0 if it is gone by now, in a store that is in use
              new StoreFile(
                      (file.equals(directory) ? file.getFileName() : directory.relativize(file))
                          .toString(),
                      file.toFile().length()))
          .forEach(files::add);
    } catch (IOException e) {
      throw new StadiumException(
          "cannot list the files in " + directory + " (" + Why.of(e) + ")", e);
    }
    files.sort(Comparator.comparingLong(StoreFile::bytes).reversed());
    return files;
  }

  private void print(
      Store store,
      List<TableStatistics> tables,
      Map<String, String> unreadable,
      List<StoreFile> files,
      PrintWriter out) {
    String incomplete = Stores.incomplete(store);
    Lines.say(
        out,
        url
            + ": "
            + store.engine()
            + ", durability "
            + store.durability().word()
            + ", "
            + Units.bytes(store.sizeOnDisk())
            + (files.isEmpty() ? "" : " in " + files.size() + " files")
            + (store.capabilities().contains(Capability.WRITE) ? "" : "; open read-only"));
    if (incomplete != null) {
      Lines.say(
          out, "INCOMPLETE: " + incomplete.lines().findFirst().orElse("") + " has not finished");
    }
    out.println();
    out.println("                               key bytes               value bytes");
    out.println("table              entries   median  p99   max   median      p99       max");
    boolean sampled = false;
    for (TableStatistics table : tables) {
      sampled |= !table.counted();
      out.println(row(table));
    }
    if (sampled) {
      Lines.say(
          out, "~ estimated, with lengths of the first 10,000 entries: --exact reads every entry");
    }
    if (!unreadable.isEmpty()) {
      out.println();
      unreadable.forEach((name, why) -> Lines.say(out, "not read: " + name + ": " + why));
    }
    if (!files.isEmpty()) {
      out.println();
      out.println("files");
      for (StoreFile file : files.subList(0, Math.min(FILES, files.size()))) {
        out.printf(
            Locale.ROOT,
            "  %-60s %12s%n",
            Lines.cut(file.name(), FIGURE),
            Units.bytes(file.bytes()));
      }
      if (files.size() > FILES) {
        out.println("  and " + (files.size() - FILES) + " smaller ones");
      }
    }
    Map<String, String> figures = stats(store);
    if (!figures.isEmpty()) {
      out.println();
      out.println("the engine's figures");
      figures.entrySet().stream()
          .limit(FIGURES)
          .forEach(figure ->
              out.println(
                  Lines.cut(
                      "  " + figure.getKey() + " " + figure.getValue().replaceAll("\\s+", " "),
                      Lines.WIDTH)));
      if (figures.size() > FIGURES) {
        out.println("  and " + (figures.size() - FIGURES) + " more: --json");
      }
    }
  }

  private static String row(TableStatistics table) {
    return String.format(
        Locale.ROOT,
        "%-13s %11s%s %7s %4s %5s  %7s %8s %9s",
        Lines.cut(Escapes.shown(table.name()), 13),
        table.entries() < 0 ? "?" : String.format(Locale.ROOT, "%,d", table.entries()),
        table.counted() ? " " : "~",
        at(table.keys(), MEDIAN),
        at(table.keys(), P99),
        at(table.keys(), MAX),
        at(table.values(), MEDIAN),
        at(table.values(), P99),
        at(table.values(), MAX));
  }

  private static String at(Histogram lengths, double percentile) {
    return lengths.getTotalCount() == 0
        ? "-"
        : Long.toString(lengths.getValueAtPercentile(percentile));
  }

  private static Map<String, String> stats(Store store) {
    try {
      return store.stats();
    } catch (UnsupportedException e) {
      return Map.of(); // there are none as it was opened
    }
  }

  private String json(
      Store store,
      List<TableStatistics> tables,
      Map<String, String> unreadable,
      List<StoreFile> files) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("url", url);
    all.put("engine", store.engine().name());
    all.put("version", store.engine().version());
    all.put("durability", store.durability().word());
    all.put("readOnly", !store.capabilities().contains(Capability.WRITE));
    all.put("incomplete", Stores.incomplete(store) != null);
    all.put("sizeOnDisk", store.sizeOnDisk());
    all.put("tables", tables.stream().map(StatCommand::map).toList());
    all.put("unreadable", unreadable);
    all.put("files", files);
    all.put("figures", stats(store));
    return Json.text(all);
  }

  private static Map<String, Object> map(TableStatistics table) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", table.name());
    map.put("entries", table.entries());
    map.put("exact", table.counted());
    map.put("lookedAt", table.keys().getTotalCount());
    map.put("keyBytes", lengths(table.keys()));
    map.put("valueBytes", lengths(table.values()));
    return map;
  }

  private static @Nullable Map<String, Object> lengths(Histogram lengths) {
    if (lengths.getTotalCount() == 0) {
      return null;
    }
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("min", lengths.getMinValue());
    map.put("mean", lengths.getMean());
    map.put("median", lengths.getValueAtPercentile(MEDIAN));
    map.put("p99", lengths.getValueAtPercentile(P99));
    map.put("max", lengths.getMaxValue());
    return map;
  }
}
