package io.kvstadium.torture.child;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvstadium.torture.check.Checker;
import io.kvstadium.torture.check.Finding.Kind;
import io.kvstadium.torture.check.Plan;
import io.kvstadium.torture.check.Reading;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Has a player read its store: all entries in their order, and each place by its key. */
final class PlayedCheck implements PlayerChild.Work {
  private final WorkerArguments arguments;
  private final Path directory;

  PlayedCheck(WorkerArguments arguments, Path directory) {
    this.arguments = arguments;
    this.directory = directory;
  }

  @Override
  public void on(PlayerChild.Tasks tasks, Consumer<Message> heard)
      throws IOException, PlayerChild.EndedException {
    Plan plan = Plan.parse(arguments.get("plan"));
    Path dump = directory.resolve("dump");
    tasks.does(Map.of("task", "dump", "file", dump.toString()));
    Reading reading = new Reading(plan);
    Map<byte[], byte[]> left = entries(dump, reading);
    Path trace = directory.resolve("gets.trace");
    Path values = directory.resolve("values");
    try (TraceFiles files = new TraceFiles(values)) {
      files.begin(trace);
      for (int writer = 0; writer < plan.writers(); writer++) {
        for (int slot = 0; slot < plan.slots(); slot++) {
          byte[] value = left.remove(Plan.key(writer, slot));
          files.get(Plan.key(writer, slot), value);
          if (value != null) {
            reading.add(writer, slot, value, arguments.sessions());
          }
        }
      }
    }
    left.forEach((key, _) ->
        reading.found(Kind.WRONG_BYTES, "there is a key that nobody wrote: " + text(key)));
    List<Map<String, Object>> threads =
        List.of(Map.of("trace", trace.toString(), "background", false));
    JsonNode gets =
        tasks
            .does(
                Map.of(
                    "task", "play", "threads", threads, "values", values.toString(), "seconds", 0))
            .path("threads")
            .path(0);
    if (gets.path("misses").asLong() > 0 || gets.path("wrong").isTextual()) {
      reading.found(
          Kind.SCAN_GET_MISMATCH,
          "reading by key misses %d entries of the scan, and finds: %s"
              .formatted(gets.path("misses").asLong(), gets.path("wrong").asText()));
    }
    Checker.Verdict verdict = arguments.checker(plan).check(reading);
    verdict.findings().forEach(finding -> heard.accept(new Message.Found(finding)));
    heard.accept(new Message.Present(verdict.present()));
  }

  private static Map<byte[], byte[]> entries(Path file, Reading reading) throws IOException {
    TreeMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    ByteBuffer rest = ByteBuffer.wrap(Files.readAllBytes(file));
    while (rest.hasRemaining()) {
      byte[] key = new byte[rest.getInt()];
      byte[] value = new byte[rest.getInt()];
      rest.get(key).get(value);
      if (!entries.isEmpty() && Arrays.compareUnsigned(entries.lastKey(), key) >= 0) {
        reading.found(
            Kind.SCAN_GET_MISMATCH,
            "a scan gives key %s after %s".formatted(text(key), text(entries.lastKey())));
      }
      entries.put(key, value);
    }
    return entries;
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.ISO_8859_1);
  }
}
