package io.kvstadium.bench.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the HTML template is filled with: texts only, not yet escaped; the template engine does
 * that. The names are those of the template {@code report.mustache} and its parts.
 */
record Page(
    String suite,
    boolean interrupted,
    String started,
    String machine,
    List<Note> warnings,
    List<Entry> entries,
    List<Fact> facts,
    @Nullable String audit,
    List<Note> findings,
    String intervals) {

  record Fact(String name, String value) {}

  record Note(String level, String subject, String message) {}

  /** One question: an experiment, or a whole sweep. One of the two is {@code null}. */
  record Entry(
      String id,
      String name,
      String question,
      List<Line> glance,
      @Nullable Part part,
      @Nullable Sweep sweep) {}

  record Sweep(List<SweepGroup> groups, List<PublishedTable> published, List<Point> points) {}

  record SweepGroup(String title, List<Line> verdicts, List<Drawing> drawings) {}

  /** One of a sweep's experiments, folded. */
  record Point(String title, Part part) {}

  record Part(
      String id,
      String name,
      List<Group> groups,
      List<Absence> absences,
      @Nullable Table costs,
      List<PublishedTable> published,
      List<Fact> data,
      List<Setup> setups) {
    boolean hasAbsences() {
      return !absences.isEmpty();
    }
  }

  record Group(
      String title,
      String headline,
      String note,
      List<Line> verdicts,
      List<String> phases,
      List<Row> rows,
      List<BarChart> bars,
      List<PhaseTable> tables,
      List<Drawing> latencies,
      List<Drawing> courses,
      @Nullable Scatter scatter,
      List<Mark> marks) {
    boolean hasMarks() {
      return !marks.isEmpty();
    }

    boolean hasRows() {
      return !rows.isEmpty();
    }

    boolean hasLatencies() {
      return !latencies.isEmpty();
    }

    boolean hasCourses() {
      return !courses.isEmpty();
    }
  }

  /**
   * Latency against cost, one of whose views is shown and the others are packed.
   *
   * @param shown its key: cost, latency and phase
   */
  record Scatter(List<String> phases, String shown, View view, String packed) {}

  record View(ScatterChart chart, List<Table> tables) {}

  record Line(String phase, String sentence) {}

  record Row(String name, Key key, List<Figure> figures) {}

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

  record PhaseTable(String phase, String measure, List<Standing> standings) {}

  record Standing(
      String name, String median, String interval, int trials, String words, List<String> costs) {}

  /**
   * A chart with tables of the same figures.
   *
   * @param samples number of the histograms that can be downloaded, or {@code null}
   */
  record Drawing(
      @Nullable Chart chart, List<Table> tables, String aside, @Nullable Integer samples) {
    /** Whether it needs the whole width. */
    boolean wide() {
      return tables.size() > 1;
    }
  }

  /** A table of figures; the caption is read out, and shown if there is no chart above it. */
  record Table(String caption, boolean shown, List<String> head, List<TableRow> rows) {}

  record TableRow(@Nullable Key key, boolean dashed, String name, List<String> cells) {}

  record Setup(
      String name,
      Key key,
      String engine,
      String group,
      String url,
      String asked,
      String effective,
      String settings,
      String options,
      String trials) {}
}
