package io.kvstadium.cli.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** A property file of YCSB's core workload as a suite. */
final class YcsbSuite {
  private static final Map<String, String> PROPORTIONS = new LinkedHashMap<>();

  static {
    PROPORTIONS.put("readproportion", "get");
    PROPORTIONS.put("updateproportion", "update");
    PROPORTIONS.put("insertproportion", "insert");
    PROPORTIONS.put("scanproportion", "scan");
    PROPORTIONS.put("readmodifywriteproportion", "read-modify-write");
  }

  private final Properties properties;

  private YcsbSuite(Properties properties) {
    this.properties = properties;
  }

  /** The suite's text. Names are those of YCSB's CoreWorkload, as are the defaults. */
  static String toml(InputStream in, String from) throws IOException {
    Properties properties = new Properties();
    try {
      properties.load(new InputStreamReader(in, UTF_8));
    } catch (IllegalArgumentException e) {
      throw new BadArgumentException(
          from + " is no property file (" + e.getMessage() + "): name its format with --format", e);
    }
    if (!properties.containsKey("recordcount") && !properties.containsKey("workload")) {
      throw new BadArgumentException(
          from + " has no recordcount, so it is no property file of YCSB");
    }
    return new YcsbSuite(properties).toml();
  }

  private String toml() {
    List<String> mix = new ArrayList<>();
    PROPORTIONS.forEach((property, operation) -> {
      double share = number(property, defaultShare(property));
      if (share > 0) {
        mix.add(operation + " = " + share);
      }
    });
    if (mix.isEmpty()) {
      throw new BadArgumentException("all proportions of the workload are 0");
    }
    long fields = Math.round(number("fieldcount", 10));
    long value = fields * Math.round(number("fieldlength", 100));
    String scans =
        mix.stream().anyMatch(each -> each.startsWith("scan"))
            ? "scan_length = \"1.." + Math.round(number("maxscanlength", 1000)) + "\"\n"
            : "";
    long clients = Math.round(number("threadcount", 1));
    return """
    # Made of a property file of YCSB by stadium trace import; fields of a record are one value.
    name = "ycsb"
    description = "A workload of YCSB"

    [[experiment]]
    name = "ycsb"

    [experiment.data]
    records = %d
    key = "random-string:23"
    order = "random"
    value_size = %d

    [[experiment.phase]]
    name = "load"
    operation = "insert"
    batch = 1000

    [[experiment.phase]]
    name = "run"
    operation = "mixed"
    mix = { %s }
    distribution = "%s"
    %s%sseconds = 5
    """
        .formatted(
            Math.round(number("recordcount", 1000)),
            value,
            String.join(", ", mix),
            distribution(),
            scans,
            clients > 1 ? "threads = " + clients + "\n" : "");
  }

  private static double defaultShare(String property) {
    return switch (property) {
      case "readproportion" -> 0.95;
      case "updateproportion" -> 0.05;
      default -> 0;
    };
  }

  private String distribution() {
    String given =
        properties.getProperty("requestdistribution", "uniform").strip().toLowerCase(Locale.ROOT);
    return switch (given) {
      case "zipfian", "latest", "uniform", "sequential" -> given;
      default ->
          throw new BadArgumentException(
              "requestdistribution "
                  + given
                  + " has no counterpart in suites: use uniform, zipfian, latest or sequential");
    };
  }

  private double number(String property, double otherwise) {
    String text = properties.getProperty(property);
    try {
      return text == null ? otherwise : Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new BadArgumentException(property + "=" + text + " is not a number", e);
    }
  }
}
