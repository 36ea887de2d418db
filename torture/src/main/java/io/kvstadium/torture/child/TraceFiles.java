package io.kvstadium.torture.child;

import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Traces for a player, with a file of the values that they share. */
final class TraceFiles implements AutoCloseable {
  private final OutputStream values;
  private long position;
  private @Nullable TraceWriter trace;

  TraceFiles(Path values) throws IOException {
    this.values = new BufferedOutputStream(Files.newOutputStream(values));
  }

  /** What follows goes into this trace. */
  void begin(Path file) throws IOException {
    end();
    trace =
        TraceWriter.begin(new BufferedOutputStream(Files.newOutputStream(file)), Map.of(), null);
  }

  void mark(Kind kind) throws IOException {
    add(Operation.of(kind, Outcome.OK, 0, "", null, 0, 0, -1));
  }

  void put(byte[] key, byte[] value) throws IOException {
    value(value);
    add(Operation.of(Kind.PUT, Outcome.OK, 0, "", key, 0, 0, value.length));
  }

  void delete(byte[] key) throws IOException {
    add(Operation.of(Kind.DELETE, Outcome.OK, 0, "", key, 0, 0, -1));
  }

  /** A get that must find this, or nothing. */
  void get(byte[] key, byte @Nullable [] value) throws IOException {
    if (value == null) {
      add(Operation.of(Kind.GET, Outcome.MISS, 0, "", key, 0, 0, -1));
    } else {
      value(value);
      add(Operation.of(Kind.GET, Outcome.OK, 0, "", key, 0, 0, value.length));
    }
  }

  private void value(byte[] value) throws IOException {
    add(Operation.of(Kind.VALUE, Outcome.OK, 0, "", null, 0, 0, -1).counting(position));
    values.write(value);
    position += value.length;
  }

  private void add(Operation operation) throws IOException {
    if (trace != null) {
      trace.append(operation);
    }
  }

  private void end() throws IOException {
    if (trace != null) {
      trace.close();
    }
  }

  @Override
  public void close() throws IOException {
    end();
    values.write(0); // it can be mapped though there are none
    values.close();
  }
}
