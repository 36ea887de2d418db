package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Kind;
import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Part;
import io.kvstadium.bench.report.Block.Term;
import io.kvstadium.bench.report.Table.Cell;
import io.kvstadium.bench.report.Table.Look;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the visible part of a page as HTML: one screen with the answer, and a document with
 * everything else.
 */
final class PageBody {
  /** Factors, with the percentage of a heat map's darkest colour for each. */
  private static final Map<String, Integer> SCALE = new LinkedHashMap<>();

  static {
    SCALE.put("×1", 0);
    SCALE.put("×3", 24);
    SCALE.put("×10", 50);
    SCALE.put("×30", 74);
    SCALE.put("×100 and more", 100);
  }

  private final List<Recordings> recordings = new ArrayList<>();
  private final String html;

  /**
   * @param screen with the same sections as the document
   */
  PageBody(Document screen, Document document) {
    Markup out = new Markup();
    out.open("header.top");
    button(out, "Dark colours", "id", "theme", "aria-pressed", "false");
    out.element("p.brand", "KV Stadium").element("h1", document.title());
    out.element("p.where", "On this machine and this data: " + document.where()).close();
    out.open("main", "id", "main", "tabindex", "-1");
    notice(out, document.warning(), "");
    screen(out, screen);
    document.notices().forEach(each -> notice(out, each.name() + ".", each.text()));
    out.open("p.notice", "role", "status", "id", "trouble", "hidden", "").close();
    for (int i = 0; i < document.sections().size(); i++) {
      Document.Section section = document.sections().get(i);
      String id = "e" + (i + 1);
      out.open("section.experiment", "id", id, "aria-labelledby", "h-" + id);
      out.element("p.kicker", section.name());
      out.element("h2", section.question(), "id", "h-" + id);
      blocks(out, section.blocks());
      out.close();
    }
    out.open("section.experiment", "aria-labelledby", "circumstances");
    out.element("h2", "Circumstances", "id", "circumstances");
    blocks(out, document.closing());
    this.html = out.close().close().toString();
  }

  String html() {
    return html;
  }

  /** What can be downloaded, by the number in its buttons. */
  List<Recordings> recordings() {
    return recordings;
  }

  private void screen(Markup out, Document screen) {
    out.open("section.screen", "aria-label", "The answer on one screen");
    for (int i = 0; i < screen.sections().size(); i++) {
      Document.Section section = screen.sections().get(i);
      out.element("p.kicker", section.name());
      out.open("h2").element("a", section.question(), "href", "#e" + (i + 1)).close();
      blocks(out, section.blocks());
    }
    blocks(out, screen.closing());
    out.close();
  }

  private static void notice(Markup out, String strong, String text) {
    if (!strong.isEmpty()) {
      out.open("p.notice", "role", "note").element("strong", strong).text(" " + text).close();
    }
  }

  private static void button(Markup out, String text, Object... attributes) {
    List<Object> all = new ArrayList<>(List.of("type", "button", "hidden", ""));
    all.addAll(List.of(attributes));
    out.element("button", text, all.toArray());
  }

  private void blocks(Markup out, List<Block> blocks) {
    for (Block each : blocks) {
      switch (Block.in(Medium.PAGE, each)) {
        case Block.Text text when text.text().isEmpty() -> {}
        case Block.Text text ->
            out.element(
                switch (text.style()) {
                  case LEAD -> "p.headline";
                  case ASIDE -> "p.aside";
                  case TITLE -> "h3";
                },
                text.text());
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
    String kind = part.kind().name().toLowerCase(Locale.ROOT).replace('_', '.');
    out.open(part.kind() == Kind.FOLD ? "details" : "div." + kind);
    if (!part.title().isEmpty()) {
      String heading =
          switch (part.kind()) {
            case VERDICT, FIGURES -> "h3";
            case FOLD -> "summary";
            default -> "h4";
          };
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
      out.open("ul.marks");
      for (Term item : items) {
        out.open("li");
        if (!item.name().isEmpty()) {
          out.element("span.mark", item.name()).text(" ");
        }
        out.text(item.text()).close();
      }
      out.close();
    }
  }

  private void choices(Markup out, Block.Choices choices) {
    out.open("div.scatter", "data-shown", choices.shown());
    out.open("p.choices", "hidden", "");
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
    out.open("div.view").raw(views.getOrDefault(choices.shown(), "")).close();
    out.open("script", "type", "text/plain")
        .raw(Attachments.packed(HtmlReport.json(views)))
        .close();
    out.close();
  }

  private void download(Markup out, Recordings own) {
    String number = Integer.toString(recordings.size());
    recordings.add(own);
    out.open("p.downloads");
    button(out, "Histograms (.hlog)", "data-log", number);
    if (!own.csv().isEmpty()) {
      out.text(" ");
      button(out, "Percentiles (.csv)", "data-csv", number);
    }
    out.close();
  }

  private static void table(Markup out, Table table) {
    Look look = table.look();
    boolean quiet = look == Look.QUIET || look == Look.PUBLISHED || look == Look.RANKS;
    out.open("div.scroll", "role", "region", "tabindex", 0, "aria-label", table.caption());
    out.open(
        switch (look) {
          case MATRIX -> "table.matrix";
          case HEAT -> "table.heat";
          case RANKS -> "table.ranks";
          case PUBLISHED -> "table.published";
          default -> "table";
        });
    out.element(quiet ? "caption.quiet" : "caption", table.caption());
    out.open("thead").open("tr").element("th", table.label(), "scope", "col");
    for (Table.Head head : table.heads()) {
      boolean left = head.words() || look == Look.MATRIX || look == Look.HEAT;
      out.element(left ? "th" : "th.n", head.text(), "scope", "col");
    }
    out.close().close();
    for (Table.Rows block : table.blocks()) {
      out.open("tbody");
      if (!block.head().isEmpty()) {
        int width = table.heads().size() + 1;
        out.open("tr.block").element("th", block.head(), "scope", "rowgroup", "colspan", width);
        out.close();
      }
      block.rows().forEach(row -> row(out, table, row));
      out.close();
    }
    out.close().close();
    if (look == Look.HEAT) {
      scale(out);
    }
  }

  /** What the colours of cells mean. */
  private static void scale(Markup out) {
    out.open("p.scale", "aria-hidden", "true");
    SCALE.forEach((text, share) -> out.element("span", text, "style", "--h:" + share));
    out.close();
  }

  private static void row(Markup out, Table table, Table.Row row) {
    out.open(row.weight() == Table.Weight.SUM ? "tr.average" : "tr").open("th", "scope", "row");
    Key key = row.key();
    if (key != null && (table.look() == Look.MATRIX || table.look() == Look.HEAT)) {
      out.element("span.dot." + key.style(), "", "aria-hidden", "true");
    } else if (key != null) {
      String lesser = row.weight() == Table.Weight.LESSER ? ".lesser" : "";
      out.open("svg.key." + key.style() + lesser, "viewBox", "0 0 24 10", "aria-hidden", "true");
      out.empty("path", "d", "M0 5H24").empty("use", "href", "#m" + key.marker()).close();
    }
    out.text(row.name()).close();
    for (int i = 0; i < row.cells().size(); i++) {
      Cell cell = row.cells().get(i);
      if (table.look() == Look.MATRIX) {
        matrixCell(out, cell);
      } else if (table.look() == Look.HEAT) {
        heatCell(out, cell);
      } else {
        String good = table.look() == Look.RANKS && cell.tone() == Table.Tone.GOOD ? ".good" : "";
        out.open((table.heads().get(i).words() ? "td" : "td.n") + good).text(cell.shown());
        cell.notes().stream()
            .filter(each -> !each.isEmpty())
            .forEach(each -> out.text("\n" + each));
        out.close();
      }
    }
    out.close();
  }

  private static void heatCell(Markup out, Cell cell) {
    String style = cell.share() < 0 ? null : "--h:" + cell.share();
    out.open(cell.tone() == Table.Tone.GOOD ? "td.fastest" : "td", "style", style);
    out.element("span.median", cell.shown());
    cell.notes().forEach(note -> out.text(" ").element("span.spread", note));
    out.close();
  }

  private static void matrixCell(Markup out, Cell cell) {
    out.open(cell.tone() == Table.Tone.GOOD ? "td.fastest" : "td");
    out.element("span.median", cell.shown()).text(" ");
    if (!cell.notes().isEmpty()) {
      out.element("span.spread", cell.notes().getFirst());
    }
    if (cell.share() >= 0) {
      out.open("span.meter", "aria-hidden", "true");
      out.open("svg", "viewBox", "0 0 100 3", "preserveAspectRatio", "none");
      out.empty("rect", "width", cell.share(), "height", 3).close().close();
    }
    cell.notes().stream()
        .skip(1)
        .filter(note -> !note.isEmpty())
        .forEach(note -> out.element("span.relative", note));
    cell.marks().forEach(mark -> out.element("span.mark", mark));
    out.close();
  }
}
