package io.kvstadium.engine.rocksserver;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * One connection, which is kept alive. Requests are written by hand, since keys are in their first
 * line as they are: HTTP clients would encode them, and the protocol does not decode.
 */
final class HttpConnection {
  private static final int CONNECT_MILLIS = 5_000;
  private static final int BUFFER = 16 << 10;
  private static final byte[] NO_BODY = {};

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;
  private final byte[] rest; // of the head of each request
  private boolean usable = true;

  /**
   * @param agent what the server may log
   * @param millis how long to wait for an answer
   */
  HttpConnection(InetSocketAddress server, String agent, int millis) throws IOException {
    this.rest =
        (" HTTP/1.1\r\nHost: "
                + server.getHostString()
                + ":"
                + server.getPort()
                + "\r\nUser-Agent: "
                + agent
                + "\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    try {
      socket.connect(
          new InetSocketAddress(server.getHostString(), server.getPort()), CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis);
      this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
      this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Sends a GET and returns its answer's body, which must be read to its end before the next
   * request.
   */
  HttpBody get(byte[]... target) throws IOException {
    return request("GET ", target, NO_BODY);
  }

  /** Sends a POST and returns its answer's body. */
  HttpBody post(String route, byte[] body) throws IOException {
    return request("POST ", new byte[][] {route.getBytes(StandardCharsets.US_ASCII)}, body);
  }

  private HttpBody request(String method, byte[][] target, byte[] body) throws IOException {
    usable = false; // until the answer has been read
    print(method);
    for (byte[] part : target) {
      out.write(part);
    }
    out.write(rest);
    if (method.startsWith("P")) {
      print("Content-Length: " + body.length + "\r\n");
    }
    print("\r\n");
    out.write(body);
    out.flush();
    return answer();
  }

  private void print(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private HttpBody answer() throws IOException {
    String status = line();
    long length = HttpBody.TO_THE_END;
    boolean kept = true;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String[] parts = header.toLowerCase(Locale.ROOT).split(":\\s*", 2);
      String value = parts.length < 2 ? "" : parts[1].strip();
      switch (parts[0]) {
        case "content-length" -> length = Long.parseLong(value);
        case "transfer-encoding" -> length = HttpBody.CHUNKED;
        case "connection" -> kept = !value.equals("close");
        default -> {}
      }
    }
    if (!status.matches("HTTP/1\\.[01] 200( .*)?")) {
      throw new RefusedException("the server answered " + status);
    }
    boolean reusable = kept && length != HttpBody.TO_THE_END && status.startsWith("HTTP/1.1");
    return new HttpBody(in, length, () -> usable = reusable);
  }

  private String line() throws IOException {
    return new String(line(in), StandardCharsets.ISO_8859_1).strip();
  }

  /** Returns what comes before the next line feed. */
  static byte[] line(InputStream in) throws IOException {
    byte[] line = new byte[64];
    int length = 0;
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        throw new EOFException("the server ended the connection within its answer");
      }
      if (length == line.length) {
        line = Arrays.copyOf(line, 2 * length);
      }
      line[length++] = (byte) each;
    }
    return Arrays.copyOf(line, length);
  }

  /** Whether the last answer was read to its end, and another request may follow. */
  boolean isUsable() {
    return usable;
  }

  void close() {
    try {
      socket.close();
    } catch (IOException _) {
      usable = false; // it is of no use any more
    }
  }
}
