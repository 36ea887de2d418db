package io.kvstadium.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * The compressed downloads of a page, as many as there is room for.
 *
 * @param histograms of all phases, or empty
 * @param histogramsNote describes them
 * @param results the complete results, or those without bulky parts, or empty
 * @param resultsNote describes them
 */
record Attachments(String histograms, String histogramsNote, String results, String resultsNote) {
  static final Attachments NONE = new Attachments("", "", "", "");

  /** The size limit of the whole page in bytes, with a little left for the notes. */
  private static final int MOST = 495_000;

  private static final int DIGITS = 3;
  private static final JsonMapper MAPPER = new JsonMapper();

  /** The histograms and timelines of single trials. */
  private static final List<String> BULKY =
      List.of("histogram", "response", "lateness", "timeline");

  boolean hasResults() {
    return !results.isEmpty();
  }

  /**
   * Chooses what fits.
   *
   * @param taken bytes of the page without attachments
   */
  static Attachments of(Results results, List<Recordings> recordings, int taken) {
    int room = MOST - taken;
    String note = "Each histogram merges all trials of a configuration.";
    String histograms = merged(recordings, DIGITS);
    if (histograms.length() > room / 2) {
      histograms = merged(recordings, DIGITS - 1);
      note += " To save space, they have two digits here; results.json has three.";
    }
    if (histograms.length() > room) {
      histograms = "";
      note = "To save space, the histograms are only in the run's results.json.";
    }
    room -= histograms.length();
    String whole = ResultsFile.toJson(results);
    String packed = packed(whole);
    String what = "The complete results.";
    if (packed.length() > room) {
      packed = packed(lean(whole));
      what =
          "To save space, this leaves out the histograms and timelines of single trials, which are"
              + " in the run's own results.json.";
    }
    return packed.length() <= room
        ? new Attachments(histograms, note, packed, what)
        : new Attachments(histograms, note, "", "They are too large for this page.");
  }

  private static String merged(List<Recordings> recordings, int digits) {
    return packed(HtmlReport.json(recordings.stream().map(each -> each.merged(digits)).toList()));
  }

  /** Returns the JSON without bulky parts. */
  private static String lean(String json) {
    try {
      JsonNode tree = MAPPER.readTree(json);
      thin(tree);
      return tree.toString();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("results whose JSON cannot be read", e);
    }
  }

  private static void thin(JsonNode own) {
    if (own instanceof ObjectNode fields) {
      BULKY.stream().filter(fields::has).forEach(fields::putNull);
    }
    own.forEach(Attachments::thin);
  }

  /**
   * Encodes text so that a page can carry it and a browser can unpack it without help: UTF-8,
   * deflated without a header (RFC 1951), in Base64. Regardless of its content, it cannot end the
   * element that it is in.
   */
  static String packed(String text) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to memory", e);
    } finally {
      deflater.end();
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
