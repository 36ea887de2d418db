package io.kvstadium.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lays a report out as one HTML page that needs nothing else: style, script, charts and figures are
 * inside it, and its content security policy forbids it to load anything. Without scripts it shows
 * everything; they add hovering, choices and downloads. What is bulky is packed.
 */
public final class HtmlReport {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  /** What the template's unescaped fields hold, beside the texts. */
  private record Whole(Page page, String style, String script, Attachments attached) {}

  private HtmlReport() {}

  /** The page, to be written as UTF-8. */
  public static String render(Report report) {
    PageBuilder builder = new PageBuilder();
    Page page = builder.page(report);
    Template template = template("report.mustache");
    String style = Resource.text("report.css");
    String script = Resource.text("report.js");
    String bare = template.execute(new Whole(page, style, script, Attachments.NONE));
    Attachments attached =
        Attachments.of(
            report.results(), builder.samples(), bare.getBytes(StandardCharsets.UTF_8).length);
    return template.execute(new Whole(page, style, script, attached));
  }

  private static Template template(String name) {
    return Mustache.compiler()
        .emptyStringIsFalse(true)
        .withLoader(part -> new StringReader(Resource.text(part + ".mustache")))
        .compile(Resource.text(name));
  }

  /** Views as HTML by key, for the script to choose from. */
  static String packed(Map<String, Page.View> views) {
    Template template = template("view.mustache");
    Map<String, String> texts = new LinkedHashMap<>();
    views.forEach((key, view) -> texts.put(key, template.execute(view)));
    return Packed.text(json(texts));
  }

  static String json(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("figures that cannot be written as JSON", e);
    }
  }
}
