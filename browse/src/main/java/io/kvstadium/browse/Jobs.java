package io.kvstadium.browse;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.browse.Request.Reply;
import io.kvstadium.browse.decode.Decoders;
import io.kvstadium.browse.look.Anatomy;
import io.kvstadium.browse.look.Comparison;
import io.kvstadium.browse.look.Hex;
import io.kvstadium.browse.look.Listing;
import io.kvstadium.browse.look.Listing.Found;
import io.kvstadium.browse.look.Listing.Head;
import io.kvstadium.browse.look.Sample;
import io.kvstadium.browse.look.Search;
import io.kvstadium.browse.place.Opened;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that take a while: their answers are lines of JSON, and end when the page stops
 * reading.
 */
final class Jobs {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final int SAMPLE = 40_000;
  private static final long SAMPLING = TimeUnit.MILLISECONDS.toNanos(1500);
  private static final int TOLD_EVERY = 100_000;

  private final Api api;

  Jobs(Api api) {
    this.api = api;
  }

  /** Answers if the request is for one of these. */
  boolean answer(Request request, Reply reply) throws IOException {
    Job job =
        switch (request.path()) {
          case "search" -> search(request);
          case "anatomy" -> anatomy(request);
          case "compare" -> compare(request);
          default -> null;
        };
    if (job == null || !request.method().equals("GET")) {
      return false;
    }
    try (OutputStream out = reply.begin(200, "application/x-ndjson; charset=utf-8", Map.of())) {
      try {
        job.run(line -> write(out, line));
      } catch (StadiumException e) {
        write(out, Map.of("error", Api.message(e)));
      }
    }
    return true;
  }

  /** Writes lines. */
  private interface Job {
    void run(Lines lines) throws IOException;
  }

  private interface Lines {
    void add(Object line) throws IOException;
  }

  private static void write(OutputStream out, Object line) throws IOException {
    out.write(MAPPER.writeValueAsBytes(line));
    out.write('\n');
    out.flush();
  }

  private Job search(Request request) {
    Table<byte[], byte[]> table = api.table(request);
    String text = request.need("text");
    byte[] wanted =
        text.startsWith("0x")
            ? Hex.parse(text.substring(2))
            : text.getBytes(StandardCharsets.UTF_8);
    if (wanted.length == 0) {
      throw new BadArgumentException("there is no text to look for");
    }
    String in = request.get("in", "both");
    Range<byte[]> range = Api.range(request);
    return lines ->
        Search.run(
            table,
            range,
            wanted,
            !in.equals("values"),
            !in.equals("keys"),
            new Search.Listener() {
              @Override
              public void hit(Found entry) throws IOException {
                lines.add(Map.of("hit", api.line(request, table, entry)));
              }

              @Override
              public void progress(long seen, byte @Nullable [] next, boolean done)
                  throws IOException {
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("seen", seen);
                line.put("next", next == null ? null : Hex.of(next));
                line.put("done", done);
                lines.add(line);
              }
            });
  }

  private Job anatomy(Request request) {
    Opened opened = api.opened(request);
    Table<byte[], byte[]> table = api.table(opened, request);
    boolean exact = request.get("exact") != null;
    return lines -> {
      Anatomy anatomy = new Anatomy();
      if (exact) {
        long seen = 0;
        try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
          while (cursor.next()) {
            anatomy.add(Listing.found(cursor), 1);
            if (++seen % TOLD_EVERY == 0) {
              lines.add(Map.of("seen", seen));
            }
          }
        } catch (CorruptException e) {
          lines.add(answer(anatomy.answer(false, true))); // what there is up to the damage
          throw e;
        }
        lines.add(answer(anatomy.answer(true, true)));
      } else {
        Sample sample = Api.sample(opened, table, SAMPLE, SAMPLING, true);
        sample.entries().forEach(each -> anatomy.add(each.entry(), each.weight()));
        lines.add(answer(anatomy.answer(sample.exact(), true)));
      }
    };
  }

  /** With the names that the keys have in the page. */
  private static Map<String, Object> answer(Anatomy.Answer answer) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("answer", answer);
    Map<String, String> names = new LinkedHashMap<>();
    answer.prefixes().forEach(each -> names.put(each.id(), name(each.id())));
    answer.largest().forEach(each -> names.put(each.id(), name(each.id())));
    line.put("names", names);
    return line;
  }

  private static String name(String id) {
    var input = new io.kvstadium.browse.decode.Decoder.Input(Hex.parse(id), true, false);
    return Decoders.decode(Decoders.named("text"), input).text();
  }

  private Job compare(Request request) {
    if (api.stores().size() < 2) {
      throw new BadArgumentException("there is one store: start browse with two to compare them");
    }
    Table<byte[], byte[]> left = api.table(api.stores().getFirst(), request);
    Table<byte[], byte[]> right = api.table(api.stores().getLast(), request);
    byte[] from = Hex.parse(request.get("from", ""));
    return lines ->
        Comparison.run(
            left,
            right,
            from,
            new Comparison.Listener() {
              @Override
              public void difference(byte[] key, @Nullable Head ours, @Nullable Head theirs)
                  throws IOException {
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("id", Hex.of(key));
                line.put(
                    "left", ours == null ? null : api.line(request, left, new Found(key, ours)));
                line.put(
                    "right",
                    theirs == null ? null : api.line(request, left, new Found(key, theirs)));
                lines.add(line);
              }

              @Override
              public void progress(long entries, long different, byte @Nullable [] next)
                  throws IOException {
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("entries", entries);
                line.put("different", different);
                line.put("next", next == null ? null : Hex.of(next));
                lines.add(line);
              }
            });
  }
}
