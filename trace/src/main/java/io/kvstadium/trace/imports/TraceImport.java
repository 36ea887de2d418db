package io.kvstadium.trace.imports;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.kvstadium.store.CorruptException;
import io.kvstadium.trace.TraceWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads recordings of other programs as a stream, and writes them as a trace. */
public final class TraceImport {
  private static final int MAX_MESSAGES = 5;

  /** Where a file that has mostly bad lines is taken for one of another format. */
  private static final int TRIED = 100;

  private TraceImport() {}

  /** A format. */
  public enum Format {
    /** What Redis' MONITOR prints. */
    MONITOR,
    /** Redis commands, one per line, as memtier_benchmark has them. */
    COMMANDS,
    /** CSV of Twitter's cache traces. */
    TWITTER,
    /** A trace of queries that RocksDB wrote. */
    ROCKSDB
  }

  /**
   * What an import did.
   *
   * @param records lines or records read
   * @param bad how many of them could not be read
   * @param messages on the first of those, by number
   * @param unsupported what has no counterpart in a trace, and how often it occurs
   * @param setBack how often the clock was set back; the times stand still there
   */
  public record Result(
      long records, long bad, List<String> messages, Map<String, Long> unsupported, long setBack) {}

  private interface LineReader {
    void read(String line, long number) throws BadRecord, IOException;
  }

  /**
   * Imports a stream. Something must be in it that a trace can have.
   *
   * @param in uncompressed
   * @param otherwise what to do if it is of another format, for the message
   * @throws CorruptException if it is not of this format, or nothing in it has a counterpart
   */
  public static Result run(InputStream in, Format format, String otherwise, TraceWriter writer)
      throws IOException {
    Output output = new Output(writer);
    RedisCommands redis = new RedisCommands(output, System.currentTimeMillis());
    TwitterCsv twitter = new TwitterCsv(output);
    Run run = new Run(output, otherwise);
    switch (format) {
      case MONITOR -> run.lines(in, (line, _) -> redis.monitor(line));
      case COMMANDS -> run.lines(in, redis::plain);
      case TWITTER -> run.lines(in, (line, _) -> twitter.line(line));
      case ROCKSDB -> run.records(in);
    }
    return run.result();
  }

  private static final class Run {
    private final Output output;
    private final String otherwise;
    private final List<String> messages = new ArrayList<>();
    private long records;
    private long bad;

    Run(Output output, String otherwise) {
      this.output = output;
      this.otherwise = otherwise;
    }

    void lines(InputStream in, LineReader reader) throws IOException {
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, ISO_8859_1), 1 << 16);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        records++;
        try {
          reader.read(line, records);
        } catch (BadRecord e) {
          bad("line ", e);
        }
      }
    }

    void records(InputStream in) throws IOException {
      RocksDbTrace trace = new RocksDbTrace(output);
      in.mark(64);
      boolean rocksDb = RocksDbTrace.begins(in.readNBytes(64));
      in.reset();
      if (!rocksDb) {
        throw new CorruptException(
            "this is not a trace of RocksDB's queries, which begins with feedcafedeadbeef: "
                + otherwise);
      }
      boolean more = true;
      while (more) {
        records++;
        try {
          more = trace.record(in);
        } catch (BadRecord e) {
          bad("record ", e);
        }
      }
    }

    private void bad(String what, BadRecord reason) {
      bad++;
      if (messages.size() < MAX_MESSAGES) {
        messages.add(what + records + ": " + reason.getMessage());
      }
      if (records >= TRIED && bad > records / 2 && records < 2 * TRIED) {
        throw new CorruptException(
            bad
                + " of the first "
                + records
                + " cannot be read, so it is of another format ("
                + messages.getFirst()
                + "): "
                + otherwise);
      }
    }

    Result result() {
      if (bad > 0 && bad == records) {
        throw new CorruptException(
            "nothing in it can be read (" + messages.getFirst() + "): " + otherwise);
      }
      if (output.taken() == 0) {
        throw new CorruptException(
            "nothing in it is an operation on keys and values"
                + (output.unsupported().isEmpty()
                    ? ""
                    : ": it has only "
                        + output.unsupported().keySet().stream()
                            .sorted()
                            .limit(MAX_MESSAGES)
                            .collect(Collectors.joining(", ")))
                + "; give a recording of such operations");
      }
      return new Result(
          records, bad, messages, new TreeMap<>(output.unsupported()), output.setBack());
    }
  }
}
