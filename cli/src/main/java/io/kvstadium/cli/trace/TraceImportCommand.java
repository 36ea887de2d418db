package io.kvstadium.cli.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.cli.io.Lines;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.internal.Why;
import io.kvstadium.trace.KeyTokens;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.TraceReader;
import io.kvstadium.trace.TraceWriter;
import io.kvstadium.trace.imports.TraceImport;
import io.kvstadium.transfer.format.DecodedInput;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium trace import}: makes a trace of another program's recording. */
@Command(
    name = "import",
    description = {
      "Makes a trace of what another program recorded: the output of Redis' MONITOR, a file of Redis"
          + " commands, CSV of Twitter's cache traces, or a trace of queries by RocksDB; compressed"
          + " (gzip, Zstandard) or not. A property file of YCSB becomes a suite for 'stadium bench'.",
      "Exit code 0 if all could be read, 1 if something had to be left out, 2 if it failed."
    })
final class TraceImportCommand implements Callable<Integer> {
  /** In the environment: what key tokens are computed from. */
  static final String SECRET = "STADIUM_TRACE_SECRET";

  private static final int FIRST = 256;

  /** A format of the option. */
  enum Format {
    MONITOR,
    COMMANDS,
    TWITTER,
    ROCKSDB,
    YCSB
  }

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FROM", description = "A file, or - for standard input.")
  private String from;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "The trace, or the suite, to write; it must not exist.")
  private Path file;

  @Option(
      names = "--format",
      paramLabel = "monitor|commands|twitter|rocksdb|ycsb",
      description = "The format of the recording (default: by its first line).")
  private @Nullable Format format;

  @Option(
      names = "--tokens",
      description =
          "Replaces keys by tokens of the same order and with the same common prefixes, computed from"
              + " the secret in "
              + SECRET
              + ".")
  private boolean tokens;

  @Override
  public Integer call() {
    if (format == Format.YCSB && !file.toString().endsWith(".toml")) {
      throw new BadArgumentException(file + ": the name of a suite ends in .toml");
    }
    if (Files.exists(file)) {
      throw new BadArgumentException(file + " exists: name a new file, or remove it");
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      int exit = run(part);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      return exit;
    } catch (CorruptException e) {
      throw new CorruptException(from + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot import " + from + " into " + file + " (" + Why.of(e) + ")", e);
    } finally {
      delete(part);
    }
  }

  private static void delete(Path part) {
    try {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      // the failure that left it is reported
    }
  }

  private int run(Path part) throws IOException {
    try (InputStream source = from.equals("-") ? System.in : TraceStatCommand.open(Path.of(from));
        BufferedInputStream in = DecodedInput.uncompressed(source)) {
      Format given = format == null ? detect(in) : format;
      try (OutputStream out =
          new BufferedOutputStream(
              Files.newOutputStream(
                  part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING),
              1 << 16)) {
        if (given == Format.YCSB) {
          YcsbSuite suite = YcsbSuite.read(in, from, advice(given));
          out.write(suite.toml().getBytes(UTF_8));
          return report(suite);
        }
        Map<String, String> header = new LinkedHashMap<>();
        header.put("program", "stadium trace import");
        header.put("source", given.name().toLowerCase(Locale.ROOT));
        header.put("keys", tokens ? "tokens" : "plain");
        TraceWriter writer =
            TraceWriter.begin(out, header, tokens ? new KeyTokens(secret()) : null);
        TraceImport.Result result =
            TraceImport.run(in, TraceImport.Format.valueOf(given.name()), advice(given), writer);
        writer.close();
        if (writer.operations() == 0) {
          throw new CorruptException("the keys of all operations are too long for a trace");
        }
        readBack(part, writer.operations());
        return report(result, writer);
      }
    }
  }

  /** What was written is a trace for those that read it. */
  private static void readBack(Path trace, long operations) throws IOException {
    long found = 0;
    try (TraceReader reader = new TraceReader(Files.newInputStream(trace))) {
      for (Operation next = reader.next(); next != null; next = reader.next()) {
        found += next.kind() == Kind.LOST ? 0 : 1;
      }
    }
    if (found != operations) {
      throw new CorruptException(
          "the trace that was written reads as %,d operations instead of %,d"
              .formatted(found, operations));
    }
  }

  private int report(YcsbSuite suite) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("Made a suite of it: stadium bench " + file);
    if (!suite.leftOut().isEmpty()) {
      Lines.say(
          out,
          "Left out, because a suite has no counterpart: "
              + String.join(", ", suite.leftOut())
              + ".");
    }
    out.flush();
    return suite.leftOut().isEmpty() ? 0 : 1;
  }

  /** What to do about a recording that is not of a format. */
  private String advice(Format given) {
    String other =
        given == Format.MONITOR
            ? "; MONITOR writes a time, [database client] and quoted arguments from Redis 2.6 on"
            : "";
    return format == null
        ? "it was taken for %s: name its format with --format"
                .formatted(given.name().toLowerCase(Locale.ROOT))
            + other
        : "--format %s is not its format: leave the option out, or give another"
                .formatted(given.name().toLowerCase(Locale.ROOT))
            + other;
  }

  private static String secret() {
    String secret = System.getenv(SECRET);
    if (secret == null || secret.isEmpty()) {
      throw new BadArgumentException(
          "--tokens needs a secret: set "
              + SECRET
              + " to a long random text, and keep it apart from"
              + " the trace");
    }
    return secret;
  }

  /** By the first line. */
  private static Format detect(BufferedInputStream in) throws IOException {
    in.mark(FIRST);
    String first = new String(in.readNBytes(FIRST), ISO_8859_1);
    in.reset();
    if (first.contains("feedcafedeadbeef")) {
      return Format.ROCKSDB;
    }
    String line = first.lines().filter(each -> !each.equals("OK")).findFirst().orElse("");
    if (line.matches("\\d+(\\.\\d+)? \\[.*")) {
      return Format.MONITOR;
    }
    if (line.matches("\\d+,.*,\\d+,\\d+,\\d+,[a-z]+,\\d+")) {
      return Format.TWITTER;
    }
    return first.lines().anyMatch(each -> each.matches("[a-z.]+\\s*=.*"))
        ? Format.YCSB
        : Format.COMMANDS;
  }

  private int report(TraceImport.Result result, TraceWriter writer) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    out.printf(
        Locale.ROOT,
        "Imported %,d operations from %,d records into %s.%n",
        writer.operations(),
        result.records(),
        file);
    if (!result.unsupported().isEmpty()) {
      out.println(
          "Left out, because a store of keys and values has no counterpart: "
              + result.unsupported().entrySet().stream()
                  .map(each -> String.format(Locale.ROOT, "%s %,d", each.getKey(), each.getValue()))
                  .collect(Collectors.joining(", "))
              + ".");
    }
    if (writer.dropped() > 0) {
      out.printf(
          Locale.ROOT, "Left out, because their keys are too long: %,d.%n", writer.dropped());
    }
    if (result.setBack() > 0) {
      out.printf(
          Locale.ROOT,
          "The clock was set back %,d times: the times stand still there.%n",
          result.setBack());
    }
    out.flush();
    if (result.bad() > 0) {
      err.printf(Locale.ROOT, "stadium: %,d could not be read:%n", result.bad());
      result.messages().forEach(message -> err.println("  - " + message));
      err.flush();
    }
    return result.bad() > 0 || writer.dropped() > 0 || !result.unsupported().isEmpty() ? 1 : 0;
  }
}
