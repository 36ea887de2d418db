package io.kvstadium.testsupport;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** A connection whose bytes a test sees. Each byte is one character of a string. */
public final class Wire implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  public record Response(int status, Map<String, String> headers, String body) {
    public boolean has(String header) {
      return headers.containsKey(header);
    }

    public String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  public Wire(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(60_000);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Status and body of the response to a request on a connection of its own. */
  public static String answer(int port, String request) {
    try (Wire wire = new Wire(port)) {
      Response response = wire.send(request).next();
      return response.status() + " " + response.body();
    }
  }

  public Wire send(String bytes) {
    try {
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  public void endOutput() {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until an answer begins. */
  public Wire awaitAnswer() {
    try {
      in.mark(1);
      if (in.read() < 0) {
        throw new IOException("the connection ended");
      }
      in.reset();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next response, even if its body ends only with the connection. */
  public Response next() {
    return next(false);
  }

  /**
   * The next response.
   *
   * @param headOnly whether it is one without a body, as for HEAD
   */
  public Response next(boolean headOnly) {
    try {
      String status = line();
      Map<String, String> headers = new HashMap<>();
      for (String line = line(); !line.isEmpty(); line = line()) {
        String[] parts = line.split(": ", 2);
        headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
      }
      int code = Integer.parseInt(status.split(" ", -1)[1]);
      return new Response(code, headers, headOnly || code == 204 ? "" : body(headers));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String body(Map<String, String> headers) throws IOException {
    String length = headers.get("content-length");
    if (length != null) {
      return text(exactly(Integer.parseInt(length)));
    }
    if (!headers.containsKey("transfer-encoding")) {
      return text(in.readAllBytes());
    }
    StringBuilder body = new StringBuilder();
    for (int size = chunk(); size > 0; size = chunk()) {
      body.append(text(exactly(size)));
      line();
    }
    line();
    return body.toString();
  }

  private int chunk() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("the connection ended within a body");
    }
    return bytes;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the connection ended within a line");
      }
      line.write(next);
    }
    return text(line.toByteArray()).stripTrailing();
  }

  /** Whether the other side ends the connection, in whatever way, with nothing more to read. */
  public boolean ends() {
    try {
      return in.read() < 0;
    } catch (IOException e) {
      return true; // a reset
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
