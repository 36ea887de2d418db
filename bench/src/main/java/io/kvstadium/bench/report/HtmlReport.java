package io.kvstadium.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;

/**
 * Lays a report out as one HTML page that needs nothing else: style, script, the chart library and
 * the figures are inside it, and its content security policy forbids it to load anything. It stays
 * below two megabytes; what is bulky is packed, and the script unpacks it.
 */
public final class HtmlReport {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  /** What the template's unescaped fields hold, beside the texts. */
  private record Whole(
      Page page,
      String style,
      String library,
      String script,
      String charts,
      Attachments attached) {}

  private HtmlReport() {}

  /** The page, to be written as UTF-8. */
  public static String render(Report report) {
    PageBuilder builder = new PageBuilder();
    Page page = builder.page(report);
    Template template =
        Mustache.compiler()
            .emptyStringIsFalse(true)
            .withLoader(name -> new StringReader(Resource.text(name + ".mustache")))
            .compile(Resource.text("report.mustache"));
    String style = Resource.text("report.css");
    String library = Packed.text(Resource.text("echarts/echarts.min.js"));
    String script = Resource.text("report.js");
    String charts = Packed.text(json(builder.charts()));
    String bare =
        template.execute(new Whole(page, style, library, script, charts, Attachments.NONE));
    Attachments attached =
        Attachments.of(
            report.results(), builder.samples(), bare.getBytes(StandardCharsets.UTF_8).length);
    return template.execute(new Whole(page, style, library, script, charts, attached));
  }

  static String json(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("figures that cannot be written as JSON", e);
    }
  }
}
