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
 * What a page hands out beside what it shows, packed, as much of it as there is room for.
 *
 * @param histograms of all phases, or empty
 * @param histogramsNote what they are
 * @param results the whole results, or those without what is bulky, or empty
 * @param resultsNote what they are
 */
record Attachments(String histograms, String histogramsNote, String results, String resultsNote) {
  static final Attachments NONE = new Attachments("", "", "", "");

  /** Bytes of the whole page, with a little left for the notes. */
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
    String note = "All trials of a configuration are together in one histogram.";
    String histograms = merged(recordings, DIGITS);
    if (histograms.length() > room / 2) {
      histograms = merged(recordings, DIGITS - 1);
      note += " To save space they have two digits here; results.json has three.";
    }
    if (histograms.length() > room) {
      histograms = "";
      note = "To save space the histograms are only in the run's results.json.";
    }
    room -= histograms.length();
    String whole = ResultsFile.toJson(results);
    String packed = packed(whole);
    String what = "The whole results.";
    if (packed.length() > room) {
      packed = packed(lean(whole));
      what =
          "To save space this leaves out the histograms and timelines of single trials, which are in"
              + " the run's own results.json.";
    }
    return packed.length() <= room
        ? new Attachments(histograms, note, packed, what)
        : new Attachments(histograms, note, "", "They are too large for this page.");
  }

  private static String merged(List<Recordings> recordings, int digits) {
    return packed(HtmlReport.json(recordings.stream().map(each -> each.merged(digits)).toList()));
  }

  /** Without what is bulky. */
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
   * Text in the form that a page can carry and a browser can unpack by itself: UTF-8, deflated
   * without a header (RFC 1951), in Base64. Whatever it says, it cannot end the element it is in.
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
