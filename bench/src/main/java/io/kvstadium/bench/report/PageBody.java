package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Part;
import io.kvstadium.bench.report.Block.Style;
import io.kvstadium.bench.report.Block.Term;
import io.kvstadium.bench.report.Table.Cell;
import io.kvstadium.bench.report.Table.Look;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes what is seen of a page: a document as HTML. */
final class PageBody {
  private final List<Recordings> recordings = new ArrayList<>();
  private final String html;

  PageBody(Document document) {
    Markup out = new Markup();
    out.open("header", "class", "top");
    button(out, "Dark colours", "id", "theme", "aria-pressed", "false");
    out.element("p", "KV Stadium", "class", "brand").element("h1", document.title());
    String where = "On this machine and this data: " + document.where();
    out.element("p", where, "class", "where").close();
    out.open("main", "id", "main", "tabindex", "-1");
    notice(out, document.warning(), "");
    glance(out, document.sections());
    document.notices().forEach(each -> notice(out, each.name() + ".", each.text()));
    out.open("p", "class", "notice", "role", "status", "id", "trouble", "hidden", "").close();
    for (int i = 0; i < document.sections().size(); i++) {
      Document.Section section = document.sections().get(i);
      String id = "e" + (i + 1);
      out.open("section", "class", "experiment", "id", id, "aria-labelledby", "h-" + id);
      out.element("p", section.name(), "class", "kicker");
      out.element("h2", section.question(), "id", "h-" + id);
      blocks(out, section.blocks());
      out.close();
    }
    out.open("section", "class", "experiment", "aria-labelledby", "circumstances");
    out.element("h2", "Circumstances", "id", "circumstances");
    blocks(out, document.closing());
    out.close().close();
    this.html = out.toString();
  }

  String html() {
    return html;
  }

  /** What can be downloaded, by the number that its buttons have. */
  List<Recordings> recordings() {
    return recordings;
  }

  private static void glance(Markup out, List<Document.Section> sections) {
    out.open("nav", "aria-label", "Experiments").element("h2", "At a glance");
    out.open("ul", "class", "glance");
    for (int i = 0; i < sections.size(); i++) {
      Document.Section section = sections.get(i);
      out.open("li").element("a", section.question(), "href", "#e" + (i + 1)).text(" ");
      out.element("span", section.name(), "class", "group");
      for (Term term : section.glance()) {
        out.open("p").element("span", term.name() + ".", "class", "group");
        out.text(" " + term.text()).close();
      }
      out.close();
    }
    out.close().close();
  }

  private static void notice(Markup out, String strong, String text) {
    if (!strong.isEmpty()) {
      out.open("p", "class", "notice", "role", "note").element("strong", strong);
      out.text(" " + text).close();
    }
  }

  private static void button(Markup out, String text, String... attributes) {
    List<String> all = new ArrayList<>(List.of("type", "button", "hidden", ""));
    all.addAll(List.of(attributes));
    out.element("button", text, all.toArray(String[]::new));
  }

  private void blocks(Markup out, List<Block> blocks) {
    for (Block each : blocks) {
      switch (Block.in(Medium.PAGE, each)) {
        case Block.Text text when text.text().isEmpty() -> {}
        case Block.Text text ->
            out.element(
                "p", text.text(), "class", text.style() == Style.LEAD ? "headline" : "aside");
        case Block.Terms terms -> terms(out, terms.terms());
        case Block.Items items -> items(out, items.items());
        case Block.Drawing drawing -> {
          out.open("figure").element("figcaption", drawing.chart().title());
          out.raw(drawing.chart().svg()).close();
        }
        case Block.Choices choices -> choices(out, choices);
        case Block.Download download -> download(out, download.recordings());
        case Part part -> part(out, part);
        case Table table -> table(out, table.in(Medium.PAGE));
        case null, default -> {}
      }
    }
  }

  private void part(Markup out, Part part) {
    switch (part.kind()) {
      case VERDICT -> wrapped(out, "verdict", "h3", part);
      case FIGURES -> wrapped(out, "figures", "h3", part);
      case SUBCHAPTER -> wrapped(out, "subchapter", "h4", part);
      case CHARTS -> wrapped(out, "charts", "h4", part);
      case DRAWINGS -> wrapped(out, "drawings", "h4", part);
      case DRAWING -> wrapped(out, "drawing", "h4", part);
      case WIDE_DRAWING -> wrapped(out, "drawing whole", "h4", part);
      case FOLD -> {
        out.open("details").element("summary", part.title());
        blocks(out, part.blocks());
        out.close();
      }
    }
  }

  private void wrapped(Markup out, String style, String heading, Part part) {
    out.open("div", "class", style);
    if (!part.title().isEmpty()) {
      out.element(heading, part.title());
    }
    blocks(out, part.blocks());
    out.close();
  }

  private static void terms(Markup out, List<Term> terms) {
    out.open("dl");
    for (Term term : terms) {
      out.open("div").element("dt", term.name()).element("dd", term.text()).close();
    }
    out.close();
  }

  private static void items(Markup out, List<Term> items) {
    if (!items.isEmpty()) {
      out.open("ul", "class", "marks");
      for (Term item : items) {
        out.open("li");
        if (!item.name().isEmpty()) {
          out.element("span", item.name(), "class", "mark").text(" ");
        }
        out.text(item.text()).close();
      }
      out.close();
    }
  }

  private void choices(Markup out, Block.Choices choices) {
    out.open("div", "class", "scatter", "data-shown", choices.shown());
    out.open("p", "class", "choices", "hidden", "");
    for (Map.Entry<String, Map<String, String>> choice : choices.choices()) {
      out.open("label").text(choice.getKey() + " ").open("select");
      choice.getValue().forEach((key, words) -> out.element("option", words, "value", key));
      out.close().close().text(" ");
    }
    out.close();
    Map<String, String> views = new LinkedHashMap<>();
    choices
        .views()
        .forEach((key, view) -> {
          Markup own = new Markup();
          blocks(own, view);
          views.put(key, own.toString());
        });
    out.open("div", "class", "view").raw(views.getOrDefault(choices.shown(), "")).close();
    out.open("script", "type", "text/plain").raw(Packed.text(HtmlReport.json(views))).close();
    out.close();
  }

  private void download(Markup out, Recordings own) {
    String number = Integer.toString(recordings.size());
    recordings.add(own);
    out.open("p", "class", "downloads");
    button(out, "Histograms (.hlog)", "data-log", number);
    if (!own.csv().isEmpty()) {
      out.text(" ");
      button(out, "Percentiles (.csv)", "data-csv", number);
    }
    out.close();
  }

  private static void table(Markup out, Table table) {
    boolean quiet = table.look() == Look.QUIET || table.look() == Look.PUBLISHED;
    String style =
        table.look() == Look.MATRIX
            ? "matrix"
            : table.look() == Look.PUBLISHED ? "published" : null;
    out.open(
        "div", "class", "scroll", "role", "region", "tabindex", "0", "aria-label", table.caption());
    out.open("table", "class", style);
    out.element("caption", table.caption(), "class", quiet ? "quiet" : null);
    out.open("thead").open("tr").element("th", table.label(), "scope", "col");
    for (Table.Head head : table.heads()) {
      boolean left = head.words() || table.look() == Look.MATRIX;
      out.element("th", head.text(), "scope", "col", "class", left ? null : "n");
    }
    out.close().close();
    for (Table.Rows block : table.blocks()) {
      out.open("tbody");
      if (!block.head().isEmpty()) {
        String width = Integer.toString(table.heads().size() + 1);
        out.open("tr", "class", "block");
        out.element("th", block.head(), "scope", "rowgroup", "colspan", width).close();
      }
      for (Table.Row row : block.rows()) {
        row(out, table, row);
      }
      out.close();
    }
    out.close().close();
  }

  private static void row(Markup out, Table table, Table.Row row) {
    out.open("tr", "class", row.strong() ? "average" : null).open("th", "scope", "row");
    Key key = row.key();
    if (key != null && table.look() == Look.MATRIX) {
      out.element("span", "", "class", "dot " + key.style(), "aria-hidden", "true");
    } else if (key != null) {
      String style = "key " + key.style() + (row.lesser() ? " lesser" : "");
      out.open("svg", "class", style, "viewBox", "0 0 24 10", "aria-hidden", "true");
      out.empty("path", "d", "M0 5H24").empty("use", "href", "#m" + key.marker()).close();
    }
    out.text(row.name()).close();
    for (int i = 0; i < row.cells().size(); i++) {
      if (table.look() == Look.MATRIX) {
        matrixCell(out, row.cells().get(i));
      } else {
        cell(out, row.cells().get(i), table.heads().get(i).words());
      }
    }
    out.close();
  }

  private static void cell(Markup out, Cell cell, boolean words) {
    out.open("td", "class", words ? null : "n").text(cell.text());
    cell.notes().stream().filter(note -> !note.isEmpty()).forEach(note -> out.text("\n" + note));
    out.close();
  }

  private static void matrixCell(Markup out, Cell cell) {
    out.open("td", "class", cell.tone() == Table.Tone.GOOD ? "fastest" : null);
    out.element("span", cell.text(), "class", "median").text(" ");
    if (!cell.notes().isEmpty()) {
      out.element("span", cell.notes().getFirst(), "class", "spread");
    }
    if (cell.share() >= 0) {
      out.open("span", "class", "meter", "aria-hidden", "true");
      out.open("svg", "viewBox", "0 0 100 3", "preserveAspectRatio", "none");
      out.empty("rect", "width", Integer.toString(cell.share()), "height", "3").close().close();
    }
    cell.notes().stream().skip(1).forEach(note -> out.element("span", note, "class", "relative"));
    cell.marks().forEach(mark -> out.element("span", mark, "class", "mark"));
    out.close();
  }
}
