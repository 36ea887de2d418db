package io.kvstadium.cli.trace;

import io.kvstadium.bench.text.Sparkline;
import io.kvstadium.bench.text.Units;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.TraceReader;
import io.kvstadium.trace.stat.Distribution;
import io.kvstadium.trace.stat.TraceStatistics;
import io.kvstadium.trace.stat.TraceStatistics.HotKey;
import io.kvstadium.trace.stat.TraceStatistics.OfKind;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The statistics of a trace on a screen of 80 columns. */
final class StatText {
  private static final int LABEL = 14;
  private static final String[] AGES = {
    "1 s", "10 s", "1 min", "10 min", "1 h", "older", "before the recording"
  };
  private static final double[] SHARES = {0.5, 0.8, 0.9, 0.95, 0.99};
  private static final int TABLES = 4;
  private static final int HOT_KEYS = 4;
  private static final int KEY = 24;

  private final String name;
  private final TraceReader reader;
  private final TraceStatistics statistics;
  private final List<String> lines = new ArrayList<>();

  StatText(String name, TraceReader reader, TraceStatistics statistics) {
    this.name = name;
    this.reader = reader;
    this.statistics = statistics;
  }

  List<String> lines() {
    lines.clear();
    head();
    if (statistics.operations() > 0) {
      rates();
      kinds();
      sizes();
      popularity();
      cache();
    }
    return lines;
  }

  private void head() {
    Map<String, String> header = reader.header();
    line("File", name + origin(header));
    double seconds = statistics.nanoseconds() / 1e9;
    line(
        "Operations",
        String.format(
            Locale.ROOT,
            "%,d in %s by %s; %s on average",
            statistics.operations(),
            duration(seconds),
            statistics.threads() == 1 ? "1 thread" : statistics.threads() + " threads",
            Units.rate(seconds == 0 ? Double.NaN : statistics.operations() / seconds)));
    List<String> faults = new ArrayList<>();
    if (reader.lost() > 0) {
      faults.add(String.format(Locale.ROOT, "%,d operations are missing", reader.lost()));
    }
    if (reader.damaged() > 0) {
      faults.add(
          String.format(
              Locale.ROOT,
              "%,d bytes are damaged, in %d place%s",
              reader.skipped(),
              reader.damaged(),
              reader.damaged() == 1 ? "" : "s"));
    }
    if (!reader.isComplete()) {
      faults.add("the recording was not ended properly, or goes on");
    }
    if (!faults.isEmpty()) {
      line("Incomplete", String.join("; ", faults));
    }
  }

  private static String origin(Map<String, String> header) {
    StringBuilder text = new StringBuilder();
    if (header.containsKey("engine")) {
      text.append(": ").append(header.get("engine"));
      text.append(header.containsKey("engine_version") ? " " + header.get("engine_version") : "");
      text.append(", durability ").append(header.getOrDefault("durability", "unknown"));
    } else if (header.containsKey("source")) {
      text.append(": imported from ").append(header.get("source"));
    }
    String keys = header.getOrDefault("keys", "plain");
    text.append(keys.equals("plain") ? "" : ", keys as " + keys);
    text.append(header.containsKey("sample") ? ", " + header.get("sample") + " of the keys" : "");
    String began = header.getOrDefault("began_ms", "");
    if (began.matches("\\d{1,18}")) {
      text.append(", ")
          .append(
              DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT)
                  .withZone(ZoneOffset.UTC)
                  .format(Instant.ofEpochMilli(Long.parseLong(began))))
          .append(" UTC");
    }
    return text.toString();
  }

  private static String duration(double seconds) {
    return seconds < 120
        ? Units.time(seconds * 1e9)
        : seconds < 7200
            ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
            : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
  }

  private void rates() {
    rate("Reads", statistics.readRates());
    rate("Writes", statistics.writeRates());
  }

  private void rate(String label, double[] perSecond) {
    double max = Arrays.stream(perSecond).max().orElse(0);
    if (max == 0) {
      return;
    }
    StringBuilder bars = new StringBuilder();
    for (double rate : perSecond) {
      bars.append(rate == 0 ? ' ' : Sparkline.bar(rate / max));
    }
    // the last interval may be short, so that its rate says nothing
    lines.add(pad(label, LABEL) + bars + " ≤ " + Units.rate(max));
  }

  private void kinds() {
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "%-16s%12s%8s%11s%11s%9s%9s",
            "operation",
            "number",
            "share",
            "p50",
            "p99",
            "misses",
            "failed"));
    statistics.kinds().entrySet().stream()
        .filter(each -> each.getKey() != Kind.BATCH && each.getKey() != Kind.BEGIN)
        .sorted(
            Comparator.comparingLong((Map.Entry<Kind, OfKind> each) -> -each.getValue().count()))
        .forEach(each -> kind(each.getKey(), each.getValue()));
    lines.add("");
  }

  private void kind(Kind kind, OfKind of) {
    boolean timed = of.isTimed();
    lines.add(
        String.format(
                Locale.ROOT,
                "%-16s%,12d%8s%11s%11s%9s%9s",
                kind == Kind.BATCH_END
                    ? "batch"
                    : kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                of.count(),
                Units.percent((double) of.count() / statistics.operations()),
                timed ? Units.time(of.durations().quantile(0.5)) : "–",
                timed ? Units.time(of.durations().quantile(0.99)) : "–",
                of.misses() == 0 ? "" : Units.percent((double) of.misses() / of.count()),
                of.failed() == 0 ? "" : Units.percent((double) of.failed() / of.count()))
            .stripTrailing());
  }

  private void sizes() {
    if (statistics.tables().size() > 1) {
      List<String> tables =
          statistics.tables().entrySet().stream()
              .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
              .map(each ->
                  each.getKey()
                      + " "
                      + Units.percent((double) each.getValue() / statistics.operations()))
              .toList();
      line("Tables", shortened(tables, TABLES));
    }
    String keys = String.format(Locale.ROOT, "%,d different", statistics.distinctKeys());
    line("Keys", keys + "; " + spread(statistics.keyBytes(), true));
    if (statistics.valueBytes().total() > 0) {
      double compression = statistics.compression();
      line(
          "Values put",
          spread(statistics.valueBytes(), true)
              + (Double.isNaN(compression) ? "" : "; compressed to " + Units.percent(compression)));
    }
    if (statistics.scanned().total() > 0) {
      line("Scans read", spread(statistics.scanned(), false) + " entries");
    }
    if (statistics.batches().total() > 0) {
      line("Batches have", spread(statistics.batches(), false) + " operations");
    }
  }

  private static String spread(Distribution values, boolean bytes) {
    List<String> parts = new ArrayList<>();
    double[] quantiles = {0.5, 0.99};
    for (double quantile : quantiles) {
      parts.add(Units.level(quantile) + " " + size(values.quantile(quantile), bytes));
    }
    return String.join(", ", parts) + ", at most " + size(values.max(), bytes);
  }

  private static String size(long value, boolean bytes) {
    return bytes ? Units.bytes(value) : String.format(Locale.ROOT, "%,d", value);
  }

  private static String shortened(List<String> all, int max) {
    return String.join(", ", all.subList(0, Math.min(max, all.size())))
        + (all.size() > max ? ", and " + (all.size() - max) + " more" : "");
  }

  private void popularity() {
    double[] zipf = statistics.zipf();
    line(
        "Popularity",
        String.format(
            Locale.ROOT,
            "%sthe 10 hottest keys have %s of the operations, 1,000 %s",
            zipf == null
                ? ""
                : String.format(Locale.ROOT, "Zipf %.2f (R² %.2f); ", zipf[0], zipf[1]),
            Units.percent(statistics.shareOfHottest(10)),
            Units.percent(statistics.shareOfHottest(1000))));
    List<HotKey> hottest = statistics.hottest(HOT_KEYS);
    boolean several = hottest.stream().map(HotKey::table).distinct().count() > 1;
    if (!hottest.isEmpty() && hottest.getFirst().share() * statistics.operations() >= 2) {
      line(
          "Hot keys",
          String.join(
              ", ",
              hottest.stream()
                  .map(key ->
                      (several ? key.table() + "/" : "")
                          + text(key.key())
                          + " "
                          + Units.percent(key.share()))
                  .toList()));
    }
  }

  private static String text(byte[] key) {
    String plain = KeyText.of(key);
    String text = plain == null ? "0x" + HexFormat.of().formatHex(key) : plain;
    return text.length() <= KEY ? text : text.substring(0, KEY - 1) + "…";
  }

  private void cache() {
    if (!Double.isNaN(statistics.hitRatio())) {
      line("Hits", Units.percent(statistics.hitRatio()) + " of the reads found their key");
    }
    double[] ages = statistics.ages();
    if (Arrays.stream(ages).sum() > 0) {
      List<String> parts = new ArrayList<>();
      for (int i = 0; i < ages.length; i++) {
        if (ages[i] > 0) {
          parts.add((i < AGES.length - 2 ? "< " : "") + AGES[i] + " " + Units.percent(ages[i]));
        }
      }
      line("Age of reads", "of what was written " + String.join(", ", parts));
    }
    if (statistics.hasRepeatedReads()) {
      List<String> parts = new ArrayList<>();
      for (double share : SHARES) {
        parts.add(Units.percent(share) + " from " + Units.bytes(statistics.bytesFor(share)));
      }
      line(
          "Cache",
          String.join(", ", parts)
              + ", of the reads that repeat a key ("
              + Units.percent(1 - statistics.firstReadShare())
              + ")");
    }
  }

  /** A label and a text that hangs beside it. */
  private void line(String label, String text) {
    lines.addAll(Lines.wrap(pad(label, LABEL), LABEL, text));
  }

  private static String pad(String label, int width) {
    return label.length() >= width ? label + " " : label + " ".repeat(width - label.length());
  }
}
