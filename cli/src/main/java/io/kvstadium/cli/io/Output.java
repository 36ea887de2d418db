package io.kvstadium.cli.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.internal.Why;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Where the results of commands on entries go: bytes, lines of text, JSON. For one thread. */
public final class Output extends OutputStream {
  /** The system's message for a pipe whose reader has gone. */
  private static final String GONE = "Broken pipe";

  private final ObjectMapper mapper = new ObjectMapper();
  private final OutputStream out;
  private boolean gone;

  public Output(OutputStream out) {
    this.out = new BufferedOutputStream(out);
  }

  /** Standard output, byte by byte. */
  public static Output standard() {
    return new Output(new FileOutputStream(FileDescriptor.out));
  }

  /** Whether the reader has gone; what is written then is dropped. */
  public boolean isGone() {
    return gone;
  }

  public void bytes(byte[] bytes) {
    write(() -> out.write(bytes));
  }

  public void text(String text) {
    bytes(text.getBytes(UTF_8));
  }

  public void line(String text) {
    text(text);
    text("\n");
  }

  /** A value on a line, as Jackson writes it. */
  public void json(Object value) {
    try {
      bytes(mapper.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("plain data can be written as JSON", e);
    }
    text("\n");
  }

  @Override
  public void write(int b) {
    write(() -> out.write(b));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    write(() -> out.write(bytes, offset, length));
  }

  @Override
  public void flush() {
    write(out::flush);
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void write(Writing writing) {
    if (gone) {
      return;
    }
    try {
      writing.run();
    } catch (IOException e) {
      gone = true;
      if (!isGone(e)) {
        throw new StadiumException(sentence(e), e);
      }
    }
  }

  /** Whether writing failed because the reader has gone, as {@code head} does: no mistake. */
  public static boolean isGone(IOException e) {
    return GONE.equals(e.getMessage());
  }

  public static String sentence(IOException e) {
    return "cannot write the results to standard output (" + Why.of(e) + ")";
  }
}
