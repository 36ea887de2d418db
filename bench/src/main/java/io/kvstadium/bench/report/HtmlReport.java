package io.kvstadium.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;

/**
 * Lays a report out as one HTML page that needs nothing else: style, script, the chart library and
 * the results themselves are inside it, and its content security policy forbids it to load
 * anything.
 */
public final class HtmlReport {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** What the template's unescaped fields hold, beside the texts. */
  private record Whole(
      Page page, String style, String library, String script, String charts, String results) {}

  private HtmlReport() {}

  /** The page, to be written as UTF-8. */
  public static String render(Report report) {
    PageBuilder builder = new PageBuilder();
    Page page = builder.page(report);
    Template template =
        Mustache.compiler().emptyStringIsFalse(true).compile(Resource.text("report.mustache"));
    return template.execute(
        new Whole(
            page,
            Resource.text("report.css"),
            Resource.text("echarts/echarts.min.js"),
            Resource.text("report.js"),
            inScript(json(builder.charts())),
            inScript(json(report.results()))));
  }

  private static String json(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("something that cannot be written as JSON", e);
    }
  }

  /**
   * JSON that may stand inside a script element: engines' messages may hold {@code </script>} or
   * {@code <!--}, which end or confuse the element wherever they stand; JSON can spell the
   * characters otherwise, and they occur in its strings only.
   */
  private static String inScript(String json) {
    return json.replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }
}
