package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.Profile;
import io.kvstadium.bench.report.analysis.Profile.Hot;
import io.kvstadium.bench.report.analysis.Profile.Node;
import io.kvstadium.bench.report.table.Markup;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Head;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Where the processor time of a configuration's phases goes, as one page of flame graphs. */
public final class HtmlProfile extends Page {
  private static final double WIDTH = 1200;
  private static final double ROW = 17;
  private static final double CHARACTER = 6.6;

  /** A frame that is narrower is not drawn, nor what it called. */
  private static final double MIN_WIDTH = 0.8;

  private static final int COLOURS = 12;

  private final String configuration;
  private final String circumstances;
  private final Map<String, Profile> phases;

  private HtmlProfile(String configuration, String circumstances, Map<String, Profile> phases) {
    this.configuration = configuration;
    this.circumstances = circumstances;
    this.phases = phases;
  }

  /**
   * The page, to be written as UTF-8.
   *
   * @param circumstances in which it was recorded
   * @param phases by name
   */
  public static String render(
      String configuration, String circumstances, Map<String, Profile> phases) {
    return new HtmlProfile(configuration, circumstances, phases)
        .render(configuration + ": KV Stadium profile");
  }

  @Override
  void body() {
    top("Where the time of " + configuration + " goes", circumstances);
    int number = 0;
    for (Map.Entry<String, Profile> each : phases.entrySet()) {
      section("p" + ++number, "phase", each.getKey(), () -> phase(each.getValue()));
    }
    out.close();
  }

  private void phase(Profile profile) {
    if (profile.samples() == 0) {
      aside("No sample: the phase was too short. Give it more operations or seconds in a suite.");
    } else {
      hottest(profile);
      out.element("h3", "Flame graph: " + profile.samples() + " samples of processor time");
      flames(profile.root());
      aside(
          "A frame is as wide as the share of the samples in which it was on the stack; on it stands"
              + " what it called. Native code counts for the Java method that called it. Frames of"
              + " the benchmark itself are one.");
    }
    profile.others().forEach(this::others);
  }

  private void hottest(Profile profile) {
    List<Row> rows = new ArrayList<>();
    for (Hot each : profile.hottest()) {
      rows.add(
          new Row(
              each.frame(),
              null,
              List.of(share(each.own(), profile.samples()), share(each.all(), profile.samples())),
              List.of()));
    }
    List<Head> heads = List.of(new Head("itself", false), new Head("with what it called", false));
    new Table("The ten hottest frames", heads, rows).html(out, false);
  }

  private static Cell share(long part, long whole) {
    return Cell.of(Units.percent((double) part / whole));
  }

  private void others(String kind, List<Hot> frames) {
    boolean bytes = kind.equals("allocated");
    List<Row> rows = new ArrayList<>();
    for (Hot each : frames) {
      String amount = bytes ? Units.bytes(each.own()) : Units.time(each.own());
      rows.add(
          new Row(
              each.frame(),
              null,
              List.of(Cell.of(amount), Cell.of(String.valueOf(each.count()))),
              List.of()));
    }
    List<Head> heads = List.of(new Head(kind, false), new Head(bytes ? "samples" : "times", false));
    out.element("h4", kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1));
    new Table(kind, heads, rows).html(out, true);
  }

  // ---- the drawing

  private void flames(Node root) {
    double height = ROW * depth(root, WIDTH);
    out.open("div.scroll", "role", "region", "tabindex", 0, "aria-label", "Flame graph");
    out.open(
        "svg.flames",
        "viewBox",
        Markup.path("0 0 %s %s", WIDTH, height),
        "role",
        "img",
        "aria-label",
        "Flame graph; the table above has the ten hottest frames");
    double x = 0;
    for (Node each : root.called()) {
      double width = WIDTH * each.samples() / root.samples();
      flame(each, x, height - ROW, width, root.samples());
      x += width;
    }
    out.close().close();
  }

  private static int depth(Node node, double width) {
    int depth = 0;
    for (Node each : node.called()) {
      double own = width * each.samples() / node.samples();
      if (own >= MIN_WIDTH) {
        depth = Math.max(depth, 1 + depth(each, own));
      }
    }
    return depth;
  }

  private void flame(Node node, double x, double y, double width, long all) {
    if (width < MIN_WIDTH) {
      return;
    }
    out.open("g.c" + colour(node.name()));
    out.element(
        "title",
        "%s: %s, %d samples"
            .formatted(node.name(), Units.percent((double) node.samples() / all), node.samples()));
    out.empty("rect", "x", x, "y", y, "width", Math.max(0.3, width - 0.5), "height", ROW - 1);
    int characters = (int) ((width - 4) / CHARACTER);
    if (characters >= 3) {
      out.element("text", shortened(node.name(), characters), "x", x + 3, "y", y + ROW - 5);
    }
    out.close();
    double at = x;
    for (Node each : node.called()) {
      double own = width * each.samples() / node.samples();
      flame(each, at, y - ROW, own, all);
      at += own;
    }
  }

  /** Class and method without the package, as much of it as there is room for. */
  private static String shortened(String name, int characters) {
    int method = name.lastIndexOf('.');
    int type = method < 0 ? -1 : name.lastIndexOf('.', method - 1);
    String text = name.contains(" ") ? name : name.substring(type + 1);
    return text.length() <= characters ? text : text.substring(0, characters - 1) + "…";
  }

  /** The same for all of a package. */
  private static int colour(String name) {
    int method = name.lastIndexOf('.');
    int type = method < 0 ? -1 : name.lastIndexOf('.', method - 1);
    String owner = name.contains(" ") ? name : name.substring(0, Math.max(0, type));
    return Math.floorMod(owner.hashCode(), COLOURS);
  }
}
