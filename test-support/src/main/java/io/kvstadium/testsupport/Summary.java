package io.kvstadium.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The end of {@code ./test}: counts what Surefire's reports hold, names what failed, groups what
 * was skipped for want of something, and fails where a module ran fewer tests than it must. Run
 * from its source, without any library.
 */
public final class Summary {
  private static final Pattern NEED = Pattern.compile("needs:? (.+)");
  private static final int MOST_FAILURES = 20;
  private static final int MOST_LETTERS = 110;

  private final List<String> failures = new ArrayList<>();
  private final Map<String, Integer> needs = new TreeMap<>();
  private final Map<String, Integer> testsOfModule = new TreeMap<>();
  private final Map<String, Integer> needsOfModule = new TreeMap<>();
  private int passed;
  private int inapplicable;

  private Summary() {}

  /**
   * Prints it, and exits with 1 if something is wrong.
   *
   * @param args the checkout; the tier; and {@code strict} if nothing may be missing but what
   *     {@code testing/may-be-missing} names
   */
  public static void main(String[] args) throws IOException {
    System.exit(
        run(Path.of(args[0]), args[1], List.of(args).contains("strict"), System.out) ? 0 : 1);
  }

  /** Prints it, and returns whether all is well. */
  static boolean run(Path root, String tier, boolean strict, PrintStream out) throws IOException {
    Summary summary = new Summary();
    for (Path reports : reports(root)) {
      Path module = reports.subpath(root.getNameCount(), reports.getNameCount());
      summary.read(module.toString().replaceFirst("/target/.*", ""), reports);
    }
    List<String> wrong = summary.belowFloor(root.resolve("testing/floors"), tier);
    if (strict) {
      wrong.addAll(summary.unexpected(Files.readAllLines(root.resolve("testing/may-be-missing"))));
    }
    summary.print(wrong, out);
    return summary.failures.isEmpty() && wrong.isEmpty();
  }

  private static List<Path> reports(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path parent : List.of(root, root.resolve("engines"))) {
      try (Stream<Path> modules = Files.list(parent)) {
        modules
            .map(module -> module.resolve("target/surefire-reports"))
            .filter(Files::isDirectory)
            .sorted()
            .forEach(found::add);
      }
    }
    return found;
  }

  private void read(String module, Path reports) throws IOException {
    try (Stream<Path> files = Files.list(reports)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".xml")).toList()) {
        try (InputStream in = Files.newInputStream(file)) {
          read(module, XMLInputFactory.newDefaultFactory().createXMLStreamReader(in));
        } catch (XMLStreamException e) {
          throw new IOException(file + ": " + e.getMessage(), e);
        }
      }
    }
  }

  private void read(String module, XMLStreamReader xml) throws XMLStreamException {
    String test = "";
    boolean plain = true;
    while (xml.hasNext()) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        switch (xml.getLocalName()) {
          case "testcase" -> {
            test =
                "%s %s#%s"
                    .formatted(
                        module,
                        xml.getAttributeValue(null, "classname").replaceFirst(".*\\.", ""),
                        xml.getAttributeValue(null, "name"));
            plain = true;
            testsOfModule.merge(module, 1, Integer::sum);
          }
          case "failure", "error" -> {
            plain = false;
            failures.add(test + ": " + said(xml));
          }
          case "skipped" -> {
            plain = false;
            skip(module, said(xml));
          }
          default -> {}
        }
      } else if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals("testcase")) {
        passed += plain ? 1 : 0;
      }
    }
  }

  /** The message of a failed or skipped test, its first line. */
  private static String said(XMLStreamReader xml) throws XMLStreamException {
    String message = xml.getAttributeValue(null, "message");
    String text = message == null ? xml.getElementText() : message;
    return text.strip().lines().findFirst().orElse("").replaceFirst("^.*Assumption failed: ", "");
  }

  private void skip(String module, String reason) {
    Matcher need = NEED.matcher(reason);
    if (need.lookingAt()) {
      needs.merge(need.group(1), 1, Integer::sum);
      needsOfModule.merge(module, 1, Integer::sum);
    } else {
      inapplicable++;
    }
  }

  /** Modules that ran fewer tests than {@code floors} demands, unless something is missing. */
  private List<String> belowFloor(Path floors, String tier) throws IOException {
    List<String> below = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (String line : Files.readAllLines(floors)) {
      String[] words = line.strip().split(" +");
      if (!line.isBlank() && !line.startsWith("#") && words[1].equals(tier)) {
        int floor = Integer.parseInt(words[2]);
        int tests = testsOfModule.getOrDefault(words[0], 0);
        if (tests == 0 && !needsOfModule.containsKey(words[0])) {
          silent.add(words[0]);
        } else if (tests < floor && !needsOfModule.containsKey(words[0])) {
          below.add(
              "%s ran %d tests, and must run %d (testing/floors)"
                  .formatted(words[0], tests, floor));
        }
      }
    }
    if (!silent.isEmpty()) { // most of all where the build stopped before them
      below.add("no test ran in " + String.join(", ", silent));
    }
    return below;
  }

  private List<String> unexpected(List<String> expected) {
    return needs.keySet().stream()
        .filter(need ->
            expected.stream()
                .noneMatch(each ->
                    !each.isBlank() && !each.startsWith("#") && need.startsWith(each.strip())))
        .map(need -> "needs " + cut(need) + " (may not be missing here: testing/may-be-missing)")
        .toList();
  }

  private void print(List<String> wrong, PrintStream out) {
    if (!failures.isEmpty()) {
      out.println("\nFailed:");
      failures.stream().limit(MOST_FAILURES).forEach(failure -> out.println("  " + cut(failure)));
      if (failures.size() > MOST_FAILURES) {
        out.printf("  and %d more%n", failures.size() - MOST_FAILURES);
      }
    }
    if (!needs.isEmpty()) {
      out.println("\nNot tested here, because it needs:");
      needs.forEach((need, tests) -> out.printf("  %s: %d%n", cut(need), tests));
    }
    if (!wrong.isEmpty()) {
      out.println("\nWrong:");
      wrong.forEach(each -> out.println("  " + each));
    }
    int skipped = needs.values().stream().mapToInt(Integer::intValue).sum();
    out.printf(
        "%n%,d tests passed, %,d failed, %,d not tested here, %,d do not apply to their engine%n",
        passed, failures.size(), skipped, inapplicable);
  }

  private static String cut(String text) {
    return text.length() <= MOST_LETTERS ? text : text.substring(0, MOST_LETTERS - 3) + "...";
  }
}
