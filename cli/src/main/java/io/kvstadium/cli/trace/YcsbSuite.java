package io.kvstadium.cli.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A property file of YCSB's core workload as a suite. Names are those of YCSB's CoreWorkload and
 * client, as are the defaults.
 */
final class YcsbSuite {
  private static final Map<String, String> PROPORTIONS = new LinkedHashMap<>();

  static {
    PROPORTIONS.put("readproportion", "get");
    PROPORTIONS.put("updateproportion", "update");
    PROPORTIONS.put("insertproportion", "insert");
    PROPORTIONS.put("scanproportion", "scan");
    PROPORTIONS.put("readmodifywriteproportion", "read-modify-write");
  }

  /** The digits of a hashed key's number, after {@code user}. */
  private static final int HASH_DIGITS = 19;

  private static final long MAX_COUNT = Long.MAX_VALUE;

  private static final int PREFIX = "user".length();

  private final String from;

  /** Those that nothing has asked for yet: in the end, those without a counterpart. */
  private final Map<String, String> rest;

  private final List<String> leftOut = new ArrayList<>();
  private final String toml;

  private YcsbSuite(String from, Map<String, String> properties) {
    this.from = from;
    this.rest = new TreeMap<>(properties);
    this.toml = make();
    rest.forEach((name, value) -> leftOut.add(name + "=" + value));
  }

  /**
   * Reads a property file.
   *
   * @param otherwise what to do if it is of another format, for the message
   * @throws BadArgumentException if it is none of the core workload, or if there is no suite like
   *     it
   */
  static YcsbSuite read(InputStream in, String from, String otherwise) throws IOException {
    Properties properties = new Properties();
    try {
      properties.load(new InputStreamReader(in, UTF_8));
    } catch (IllegalArgumentException e) {
      throw new BadArgumentException(
          from + " is no property file (" + e.getMessage() + "): " + otherwise, e);
    }
    if (!properties.containsKey("recordcount") && !properties.containsKey("workload")) {
      throw new BadArgumentException(
          from + " has no recordcount, so it is no property file of YCSB");
    }
    Map<String, String> all = new HashMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> all.put(name, properties.getProperty(name).strip()));
    return new YcsbSuite(from, all);
  }

  /** The suite's text. */
  String toml() {
    return toml;
  }

  /** What the suite does not have of it, such as {@code hotspotdatafraction=0.2}. */
  List<String> leftOut() {
    return leftOut;
  }

  private String make() {
    String workload = take("workload", "site.ycsb.workloads.CoreWorkload");
    if (!workload.matches("(site|com\\.yahoo)\\.ycsb\\.workloads\\.CoreWorkload")) {
      throw new BadArgumentException(
          from
              + ": the workload "
              + workload
              + " has no counterpart: only YCSB's CoreWorkload has");
    }
    long records = whole("recordcount", 1000, 1, MAX_COUNT);
    String mix = mix();
    String text =
        """
        # Made of a property file of YCSB by stadium trace import; fields of a record are one value.
        name = "ycsb"
        description = "A workload of YCSB"

        [[experiment]]
        name = "ycsb"

        [experiment.data]
        records = %d
        %svalue_size = "%s"

        [[experiment.phase]]
        name = "load"
        operation = "insert"
        batch = 1000

        [[experiment.phase]]
        name = "run"
        operation = "mixed"
        mix = { %s }
        distribution = "%s"
        %s%s\
        """
            .formatted(records, keys(records), value(), mix, distribution(), scans(mix), client());
    try {
      SuiteFile.parse(text, "the suite");
    } catch (BadArgumentException e) {
      throw new BadArgumentException(
          from + " has values that no suite can have: " + e.getMessage(), e);
    }
    return text;
  }

  /** The weights, which YCSB divides by their sum, as shares that add up to 1. */
  private String mix() {
    Map<String, Double> weights = new LinkedHashMap<>();
    PROPORTIONS.forEach((property, operation) -> {
      double weight = number(property, defaultShare(property));
      if (weight > 0) {
        weights.put(operation, weight);
      }
    });
    double sum = weights.values().stream().mapToDouble(Double::doubleValue).sum();
    if (weights.isEmpty()) {
      throw new BadArgumentException(from + ": all proportions of the workload are 0");
    }
    List<String> mix = new ArrayList<>();
    weights.forEach((operation, weight) -> mix.add(operation + " = " + weight / sum));
    return String.join(", ", mix);
  }

  private static double defaultShare(String property) {
    return switch (property) {
      case "readproportion" -> 0.95;
      case "updateproportion" -> 0.05;
      default -> 0;
    };
  }

  /** Keys are {@code user} and a number, which is a hash, or counts with zeros before it. */
  private String keys(long records) {
    String order = take("insertorder", "hashed");
    long padding = whole("zeropadding", 1, 0);
    boolean hashed = order.equals("hashed");
    if (!hashed && !order.equals("ordered")) {
      throw new BadArgumentException(
          from + ": insertorder=" + order + " is neither hashed nor ordered");
    }
    long digits = hashed ? HASH_DIGITS : Long.toString(records - 1).length();
    return "key = \"%s:%d\"\norder = \"%s\"\n"
        .formatted(
            hashed ? "random-string" : "digits",
            PREFIX + Math.max(digits, padding),
            hashed ? "random" : "sequential");
  }

  private String value() {
    long fields = whole("fieldcount", 10, 1);
    long length = whole("fieldlength", 100, 1);
    String lengths = take("fieldlengthdistribution", "constant");
    fixed("readallfields", "true");
    fixed("writeallfields", "true"); // otherwise an update writes one field, here all of them
    if (lengths.equals("uniform") && fields == 1) {
      return whole("minfieldlength", 1, 1) + ".." + length;
    }
    if (lengths.equals("constant")) {
      return Long.toString(Math.multiplyExact(fields, length));
    }
    leftOut.add("fieldlengthdistribution=" + lengths);
    return Long.toString(Math.multiplyExact(fields, length));
  }

  private String distribution() {
    String given = take("requestdistribution", "uniform").toLowerCase(Locale.ROOT);
    return switch (given) {
      case "zipfian", "latest", "uniform", "sequential" -> given;
      default ->
          throw new BadArgumentException(
              from
                  + ": requestdistribution "
                  + given
                  + " has no counterpart in suites: use uniform, zipfian, latest or sequential");
    };
  }

  private String scans(String mix) {
    long max = whole("maxscanlength", 1000, 1);
    long min = whole("minscanlength", 1, 1);
    fixed("scanlengthdistribution", "uniform");
    return mix.contains("scan = ") ? "scan_length = \"" + min + ".." + max + "\"\n" : "";
  }

  /** What YCSB's client is told: threads, and when to end. */
  private String client() {
    long threads = whole("threadcount", 1, 1);
    long target = whole("target", 0, 0);
    long operations = whole("operationcount", 0, 0, MAX_COUNT);
    long seconds = whole("maxexecutiontime", 0, 0);
    StringBuilder text = new StringBuilder();
    append(text, "threads", threads > 1 ? threads : 0);
    append(text, "rate", target);
    append(text, "operations", operations);
    append(text, "seconds", operations == 0 && seconds == 0 ? 5 : seconds);
    return text.toString();
  }

  private static void append(StringBuilder text, String name, long value) {
    if (value > 0) {
      text.append(name).append(" = ").append(value).append('\n');
    }
  }

  /** A property that suites have with one value only. */
  private void fixed(String property, String only) {
    if (only.equals(rest.get(property))) {
      rest.remove(property);
    }
  }

  private String take(String property, String otherwise) {
    String text = rest.remove(property);
    return text == null ? otherwise : text;
  }

  private long whole(String property, long otherwise, long min) {
    return whole(property, otherwise, min, Integer.MAX_VALUE);
  }

  private long whole(String property, long otherwise, long min, long max) {
    String text = take(property, Long.toString(otherwise));
    try {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below, as if it was out of range
    }
    throw new BadArgumentException(
        "%s: %s=%s is not a whole number from %d to %d".formatted(from, property, text, min, max));
  }

  private double number(String property, double otherwise) {
    String text = take(property, Double.toString(otherwise));
    try {
      double number = Double.parseDouble(text);
      if (number >= 0 && Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below, as if it was out of range
    }
    throw new BadArgumentException(
        "%s: %s=%s is not a number of 0 or more".formatted(from, property, text));
  }
}
