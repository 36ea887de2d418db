package io.kvstadium.advise;

import io.kvstadium.advise.Advice.Gain;
import io.kvstadium.advise.Advice.Row;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/** The answer on one screen of 80 columns. */
public final class AdviceText {
  private static final int MAX_REASONS = 6;

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
    if (advice.url() != null) {
      lines.add("  " + advice.url()); // whole, to be pasted
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
    if (advice.front().stream().anyMatch(row -> row.writtenPerByte() != null)) {
      wrap(
          "",
          "written per byte: what reached the disk in a whole trial, the load included, for each"
              + " byte of keys and values that the workload moved.");
    }
    if (!advice.flips().isEmpty()) {
      part("Where the answer changes");
      advice
          .flips()
          .forEach(each ->
              wrap("  " + each.change() + ": ", each.answer() + " (" + each.how().words() + ")"));
    }
    reasons("Cannot", advice.ruledOut());
    reasons("Not considered", advice.notConsidered());
    lines.add("");
    wrap(
        "",
        String.format(
            Locale.ROOT,
            "Measured: %s; durability %s; %d rounds of the last %d; %s; seed %d.",
            advice.workload(),
            advice.durability(),
            advice.rounds(),
            advice.front().size(),
            Units.seconds(advice.seconds()),
            advice.seed()));
  }

  private void heading() {
    Gain gain = advice.gain();
    switch (advice.verdict()) {
      case TAKE -> {
        lines.addAll(bold("Take " + advice.name() + "."));
        if (gain != null) {
          String over =
              gain.over().equals(advice.current())
                  ? gain.over() + ", which you have"
                  : gain.over() + ", the next best";
          wrap("  ", gain.words() + of(over) + where(gain) + ".");
        }
      }
      case KEEP -> {
        lines.addAll(bold("Keep what you have: " + advice.current() + "."));
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
                    .formatted(advice.current())));
        if (gain != null) {
          wrap(
              "  ",
              "%s is ahead or may be: %s%s%s."
                  .formatted(gain.over(), gain.words(), of("it"), where(gain)));
        }
        wrap("  ", "Give more time with --budget, or measure while nothing else runs.");
      }
      case NONE -> {
        lines.addAll(bold("Nothing meets all that you ask for."));
        advice.giveUp().forEach(each -> wrap("  ", "Give up " + each + "."));
      }
    }
  }

  private String of(String over) {
    return advice.percentile() == null
        ? " of the speed of " + over
        : " shorter " + Units.level(advice.percentile()) + " than that of " + over;
  }

  private static String where(Gain gain) {
    return gain.where().isEmpty() ? "" : ", where it gains least: " + gain.where();
  }

  private Table table() {
    double level = advice.front().isEmpty() ? 0.99 : advice.front().getFirst().percentile();
    List<Column<Row>> columns =
        List.of(
            Column.of("rate", row -> text(row.perSecond(), Units::rate)),
            Column.of(Units.level(level), row -> text(row.percentileNanos(), Units::time)),
            Column.of("memory", row -> text(row.memoryBytes(), Units::bytes)),
            Column.of("disk", row -> text(row.diskBytes(), Units::bytes)),
            Column.of("written per byte", row -> text(row.writtenPerByte(), Units::ratio)));
    return Table.of(
        "",
        columns,
        advice.front(),
        row ->
            new Table.Row(
                row.name() + (row.name().equals(advice.current()) ? " (yours)" : ""),
                null,
                List.of(),
                row.meets() ? List.of() : List.of("does not meet what you ask for")));
  }

  private static <T extends Number> String text(@Nullable T figure, DoubleFunction<String> unit) {
    return figure == null ? Units.MISSING : unit.apply(figure.doubleValue());
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
