package io.kvstadium.advise;

import io.kvstadium.advise.Advice.Change;
import io.kvstadium.advise.Advice.Gain;
import io.kvstadium.advise.Advice.Row;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The answer on one screen of 80 columns. */
public final class AdviceText {
  private static final int MAX_REASONS = 6;
  private static final String RATE = "rate"; // the head of that figure

  private final Advice advice;
  private final TextStyle style;
  private final List<String> lines = new ArrayList<>();

  private AdviceText(Advice advice, TextStyle style) {
    this.advice = advice;
    this.style = style;
  }

  /** Its lines. */
  public static List<String> of(Advice advice, boolean ansi) {
    AdviceText text = new AdviceText(advice, new TextStyle(ansi));
    text.write();
    return text.lines;
  }

  private void write() {
    heading();
    if (advice.answer().url() != null) {
      lines.add("  " + advice.answer().url()); // whole, to be pasted
    }
    if (!advice.settings().isEmpty()) {
      part("What each setting brings");
      advice
          .settings()
          .forEach(each ->
              wrap(
                  "  " + each.setting() + ": ",
                  each.gain().words()
                      + (each.gain().ratio() == null ? "" : " (measured)")
                      + (each.taken() ? "" : "; not shown to help, so it is left out above")));
    }
    lines.add("");
    lines.addAll(table().known().lines(style));
    if (advice.front().stream()
        .anyMatch(row -> !text(row, Figures.WRITTEN).equals(Units.MISSING))) {
      wrap(
          "",
          Figures.WRITTEN.head()
              + ": what reached the disk in a whole trial, the load included, for each byte of keys"
              + " and values that the workload moved.");
    }
    if (!advice.flips().isEmpty()) {
      part("Where the answer changes");
      advice
          .flips()
          .forEach(each ->
              wrap("  " + each.change() + ": ", each.answer() + " (" + each.how().words() + ")"));
    }
    reasons("Cannot", advice.rejected().ruledOut());
    reasons("Not considered", advice.rejected().notConsidered());
    lines.add("");
    wrap(
        "",
        String.format(
            Locale.ROOT,
            "Measured: %s; durability %s; %d rounds of the last %d; %s; seed %d.",
            advice.basics().workload(),
            advice.basics().durability(),
            advice.basics().rounds(),
            advice.front().size(),
            Units.seconds(advice.basics().seconds()),
            advice.basics().seed()));
  }

  private void heading() {
    Gain gain = advice.answer().gain();
    switch (advice.answer().verdict()) {
      case TAKE -> {
        lines.addAll(bold("Take " + advice.answer().name() + "."));
        if (gain != null) {
          String over =
              gain.over().equals(advice.answer().current())
                  ? gain.over() + ", which you have"
                  : gain.over() + ", the next best";
          wrap("  ", gain.words() + of(over) + where(gain) + ".");
        }
        change(advice.answer().change());
      }
      case KEEP -> {
        lines.addAll(bold("Keep what you have: " + advice.answer().current() + "."));
        if (gain != null) {
          wrap(
              "  ",
              "Nothing is shown to be better in all that was measured. %s: %s%s%s."
                  .formatted(gain.over(), gain.words(), of("it"), where(gain)));
        }
      }
      case UNDECIDED -> {
        lines.addAll(
            bold(
                "Not decided yet whether anything is better than %s, which you have."
                    .formatted(advice.answer().current())));
        if (gain != null) {
          wrap(
              "  ",
              "%s is ahead or may be: %s%s%s."
                  .formatted(gain.over(), gain.words(), of("it"), where(gain)));
        }
        change(advice.answer().change());
        wrap("  ", "Give more time with --budget, or measure while nothing else runs.");
      }
      case NONE -> {
        lines.addAll(bold("Nothing meets all that you ask for."));
        advice.rejected().giveUp().forEach(each -> wrap("  ", "Give up " + each + "."));
      }
    }
  }

  private void change(@Nullable Change change) {
    if (change != null && !change.phases().isEmpty()) {
      wrap("  ", TextStyle.sentence(change.phases()) + ".");
    }
    if (change != null && !change.lost().isEmpty()) {
      wrap("  ", "You would lose: " + String.join(", ", change.lost()) + ".");
    }
  }

  private String of(String over) {
    return switch (advice.answer().comparedBy()) {
      case OverallRanking.PHASE -> " of the overall speed of " + over;
      case RATE -> " of the speed of " + over;
      default -> " shorter " + advice.answer().comparedBy() + " than that of " + over;
    };
  }

  private static String where(Gain gain) {
    return gain.where().isEmpty() ? "" : ", where it gains least: " + gain.where();
  }

  private Table table() {
    List<Column<Row>> columns =
        advice.front().stream()
            .limit(1)
            .flatMap(row -> row.figures().keySet().stream())
            .map(figure -> Column.<Row>of(figure.head(), row -> text(row, figure)))
            .toList();
    return Table.of(
        "",
        columns,
        advice.front(),
        row ->
            new Table.Row(
                row.name() + (row.name().equals(advice.answer().current()) ? " (yours)" : ""),
                null,
                List.of(),
                row.meets() ? List.of() : List.of("does not meet what you ask for")));
  }

  private static String text(Row row, Figure figure) {
    return figure.unit().text(row.figures().getOrDefault(figure, Double.NaN));
  }

  private void reasons(String title, List<String> all) {
    if (all.isEmpty()) {
      return;
    }
    part(title);
    all.stream().limit(MAX_REASONS).forEach(each -> wrap("  ", each));
    if (all.size() > MAX_REASONS) {
      wrap("  ", "and " + (all.size() - MAX_REASONS) + " more: --json has them all");
    }
  }

  private List<String> bold(String text) {
    return TextStyle.wrap("", 2, text).stream().map(style::bold).toList();
  }

  private void part(String title) {
    lines.add("");
    lines.add(style.dim(title));
  }

  private void wrap(String first, @Nullable String text) {
    lines.addAll(TextStyle.wrap(first, 4, String.valueOf(text)));
  }
}
