package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.stats.Verdict.NoDifference;
import io.kvstadium.bench.stats.Verdict.Same;
import io.kvstadium.bench.stats.Verdict.Slower;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Puts a ranking into words that claim no more than its verdicts do. */
final class Sentence {
  /** More than so many slower ones are not all named; the table has them. */
  private static final int NAMED = 3;

  private Sentence() {}

  /** The sentence of one phase; each cell's verdict is against the first cell. */
  static String of(Board board) {
    boolean plain = board.measure().equals("rate") || board.measure().equals("time");
    return (plain ? "" : "by " + board.measure() + ": ") + verdict(board);
  }

  private static String verdict(Board board) {
    List<Cell> cells = board.cells();
    if (cells.isEmpty()) {
      return "no configuration has a figure.";
    }
    Cell first = cells.getFirst();
    String lead = first.configuration() + " (" + board.figure(first) + ")";
    if (cells.size() == 1) {
      return "only " + lead + " has a figure, so nothing can be compared.";
    }
    List<Cell> slower = new ArrayList<>();
    List<Cell> others = new ArrayList<>();
    for (Cell cell : cells.subList(1, cells.size())) {
      (cell.verdict() instanceof Slower ? slower : others).add(cell);
    }
    if (others.isEmpty()) {
      return first.configuration()
          + " is fastest: "
          + board.figure(first)
          + ", "
          + faster(slower)
          + ".";
    }
    StringBuilder text = new StringBuilder("no single fastest. ").append(lead);
    text.append(others.size() <= NAMED ? each(board, others) : together(others)).append('.');
    if (!slower.isEmpty()) {
      text.append(' ').append(first.configuration()).append(" is ").append(faster(slower));
      text.append('.');
    }
    return text.toString();
  }

  private static String each(Board board, List<Cell> others) {
    List<String> parts = new ArrayList<>();
    for (Cell cell : others) {
      parts.add(
          " against " + cell.configuration() + " (" + board.figure(cell) + "): " + undecided(cell));
    }
    return String.join(";", parts);
  }

  /** For more than can be read one by one. */
  private static String together(List<Cell> others) {
    List<NoDifference> open = new ArrayList<>();
    int same = 0;
    for (Cell cell : others) {
      if (cell.verdict() instanceof NoDifference none) {
        open.add(none);
      } else if (cell.verdict() instanceof Same) {
        same++;
      }
    }
    StringBuilder text = new StringBuilder(" has the best median");
    if (same > 0) {
      text.append("; ").append(new Same().words()).append(" as ").append(count(same));
    }
    if (!open.isEmpty()) {
      NoDifference hardest =
          Collections.max(open, Comparator.comparingInt(each -> each.more().orElse(0)));
      text.append("; against ").append(count(open.size())).append(", ").append(hardest.words());
      text.append(open.size() > 1 ? " for all of them" : "");
    }
    return text.toString();
  }

  private static String count(int others) {
    return others == 1 ? "one other" : others + " others";
  }

  private static String undecided(Cell cell) {
    Verdict verdict = cell.verdict();
    return switch (verdict) {
      case Same same -> same.words();
      case NoDifference none -> none.words();
      // the first has the highest median, so this needs medians and means that disagree
      case Verdict.Faster faster ->
          "the median is lower, yet trial by trial it is " + faster.words();
      case Slower slow -> slow.words();
      case null -> "not compared";
    };
  }

  private static String faster(List<Cell> slower) {
    if (slower.size() <= NAMED) {
      List<String> parts = new ArrayList<>();
      for (Cell cell : slower) {
        parts.add(factor(cell) + " faster than " + cell.configuration());
      }
      return join(parts);
    }
    Cell next = slower.getFirst();
    Cell last = slower.getLast();
    return factor(next)
        + " faster than the next, "
        + next.configuration()
        + ", and "
        + factor(last)
        + " faster than the last, "
        + last.configuration();
  }

  private static String factor(Cell cell) {
    return cell.verdict() instanceof Slower slower ? slower.factor() : "";
  }

  private static String join(List<String> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    return String.join(", ", parts.subList(0, parts.size() - 1)) + " and " + parts.getLast();
  }
}
