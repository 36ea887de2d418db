package io.kvstadium.bench.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the HTML template is filled with: texts only, not yet escaped; the template engine does
 * that. The names are those of the template {@code report.mustache}.
 */
record Page(
    String suite,
    boolean interrupted,
    String started,
    String machine,
    List<Note> warnings,
    boolean several,
    List<Part> parts,
    List<Fact> facts,
    @Nullable String audit,
    List<Note> findings,
    String intervals) {

  record Fact(String name, String value) {}

  record Note(String level, String subject, String message) {}

  record Part(
      int number,
      String name,
      String question,
      List<Group> groups,
      List<Absence> absences,
      List<Cost> costs,
      List<PublishedTable> published,
      List<Fact> data,
      List<Setup> setups) {
    boolean hasAbsences() {
      return !absences.isEmpty();
    }

    boolean hasCosts() {
      return !costs.isEmpty();
    }
  }

  record Group(
      String title,
      String headline,
      String note,
      List<Line> verdicts,
      List<String> phases,
      List<Row> rows,
      List<Chart.Bars> bars,
      List<PhaseTable> tables,
      boolean hasLatencies,
      List<LatencyTable> latencies,
      List<Mark> marks) {
    boolean hasMarks() {
      return !marks.isEmpty();
    }

    boolean hasRows() {
      return !rows.isEmpty();
    }
  }

  record Line(String phase, String sentence) {}

  record Row(String name, int series, List<Figure> figures) {}

  /**
   * A cell of the overview.
   *
   * @param share its median as a percentage of the best, for a bar behind it
   */
  record Figure(
      boolean present,
      String median,
      String spread,
      String relative,
      String kind,
      int share,
      List<String> marks) {
    static final Figure NONE = new Figure(false, "–", "", "", "none", 0, List.of());
  }

  record PhaseTable(String phase, List<Standing> standings) {}

  record Standing(
      String name, String median, String interval, int trials, String words, String cpu) {}

  record LatencyTable(String phase, @Nullable Chart chart, List<LatencyRow> rows) {}

  record LatencyRow(
      String name, int series, String p50, String p99, String p999, String max, String note) {}

  record Cost(String name, String disk, String amplification, String anonymous, String file) {}

  record Setup(
      String name,
      int series,
      String engine,
      String group,
      String url,
      String asked,
      String effective,
      String settings,
      String options,
      String trials) {}
}
