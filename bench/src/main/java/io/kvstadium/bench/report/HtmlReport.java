package io.kvstadium.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import io.kvstadium.bench.report.Block.Medium;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Lays a report out as one self-contained HTML page: style, script, charts and figures are inside
 * it, and its content security policy forbids it to load anything. Without scripts it still shows
 * everything; they add hovering, choices and downloads. Bulky data is compressed.
 */
public final class HtmlReport {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  /** The values for the template, which escapes the title. */
  private record Page(
      String title, String style, String body, String script, Attachments attached) {}

  private HtmlReport() {}

  /** The page, to be written as UTF-8. */
  public static String render(Report report) {
    PageBody body = new PageBody(Summary.of(report, Medium.PAGE), ReportDocument.of(report));
    Template template = Mustache.compiler().compile(resource("report.mustache"));
    String title = report.results().suite() + ": KV Stadium report";
    String style = resource("report.css");
    String script = resource("report.js");
    String bare = template.execute(new Page(title, style, body.html(), script, Attachments.NONE));
    Attachments attached =
        Attachments.of(
            report.results(), body.recordings(), bare.getBytes(StandardCharsets.UTF_8).length);
    return template.execute(new Page(title, style, body.html(), script, attached));
  }

  static String json(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("figures that cannot be written as JSON", e);
    }
  }

  /** Reads a text file that is packaged next to this class. */
  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the packed file " + name, e);
    }
  }
}
