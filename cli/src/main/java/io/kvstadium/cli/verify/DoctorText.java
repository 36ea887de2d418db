package io.kvstadium.cli.verify;

import io.kvstadium.bench.machine.Check;
import io.kvstadium.bench.machine.Check.Grade;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.cli.io.Lines;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;

/** What {@code doctor} found, for a terminal of 80 columns. */
final class DoctorText {
  private static final int GRADE = 9;
  private static final int NAME = 15;
  private static final String MARGIN = "  ";
  private static final int COLUMN = MARGIN.length() + GRADE + NAME;

  private DoctorText() {}

  static void print(Machine machine, List<Check> checks, PrintStream out) {
    Lines.wrap(
            "",
            0,
            machine.cpu()
                + ", "
                + machine.cores()
                + (machine.cores() == 1 ? " core, " : " cores, ")
                + machine.system())
        .forEach(out::println);
    String topic = "";
    for (Check check : checks) {
      if (!check.topic().equals(topic)) {
        topic = check.topic();
        out.println();
        out.println(
            Ansi.AUTO.string(
                "@|bold "
                    + topic.substring(0, 1).toUpperCase(Locale.ROOT)
                    + topic.substring(1)
                    + "|@"));
      }
      print(check, out);
    }
    out.println();
    out.println(summary(checks));
  }

  private static void print(Check check, PrintStream out) {
    String word = check.grade().name().toLowerCase(Locale.ROOT);
    String start = MARGIN + pad(word, GRADE) + pad(check.name(), NAME);
    List<String> lines = Lines.wrap(start, COLUMN, check.found());
    // painted last, because colour codes have no width
    out.println(
        MARGIN + paint(check.grade(), word) + lines.getFirst().substring((MARGIN + word).length()));
    lines.stream().skip(1).forEach(out::println);
    if (!check.advice().isEmpty()) {
      Lines.wrap(" ".repeat(COLUMN) + "→ ", COLUMN + 2, check.advice()).forEach(out::println);
    }
  }

  private static String paint(Grade grade, String word) {
    return switch (grade) {
      case OK -> Ansi.AUTO.string("@|green " + word + "|@");
      case NOTE -> Ansi.AUTO.string("@|cyan " + word + "|@");
      case WARNING -> Ansi.AUTO.string("@|yellow " + word + "|@");
    };
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }

  private static String summary(List<Check> checks) {
    long warnings = checks.stream().filter(each -> each.grade() == Grade.WARNING).count();
    return switch ((int) warnings) {
      case 0 -> "No warnings: as far as this can tell, figures of this machine can be trusted.";
      case 1 -> "1 warning: figures may be off.";
      default -> warnings + " warnings: figures may be off.";
    };
  }
}
