package io.kvstadium.server;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A small blocking client. Requests may be sent ahead of reading; a reply that does not come within
 * 30 seconds fails the test.
 */
final class RespClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  private RespClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
    out = new BufferedOutputStream(socket.getOutputStream());
  }

  /** Connects to a server on this machine, speaking RESP2. */
  static RespClient connect(int port) {
    try {
      return new RespClient(new Socket(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A client over a socket that is already connected. */
  static RespClient over(Socket socket) {
    try {
      return new RespClient(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Switches to this version of the protocol. */
  RespClient protocol(int version) {
    Reply hello = reply("HELLO", Integer.toString(version));
    if (hello.isError()) {
      throw new AssertionError(hello.toString());
    }
    return this;
  }

  /** Sends a request and returns its reply as {@link Reply#value}. */
  @Nullable Object call(String... words) {
    return reply(words).value();
  }

  /** Sends a request and reads its reply. */
  Reply reply(String... words) {
    send(words);
    return read();
  }

  /** Sends a request, its words in UTF-8. */
  void send(String... words) {
    send(Arrays.stream(words).map(word -> word.getBytes(StandardCharsets.UTF_8)).toList());
  }

  /** Sends a request. */
  void send(List<byte[]> words) {
    try {
      write(words);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(List<byte[]> words) throws IOException {
    out.write(("*" + words.size() + "\r\n").getBytes(StandardCharsets.US_ASCII));
    for (byte[] word : words) {
      out.write(("$" + word.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(word);
      out.write('\r');
      out.write('\n');
    }
  }

  /** Sends several requests at once and reads a reply to each. */
  List<Reply> pipeline(List<List<byte[]>> requests) {
    try {
      for (List<byte[]> request : requests) {
        write(request);
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Reply> replies = new ArrayList<>();
    requests.forEach(_ -> replies.add(read()));
    return replies;
  }

  /** Sends bytes as they are: an inline request, or something broken. */
  void sendBytes(byte[] bytes) {
    try {
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one reply or pushed message. */
  Reply read() {
    try {
      return next();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets the server know that no more requests come. */
  void endOutput() {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the server closes the connection, without a further reply. */
  boolean ended() {
    try {
      return in.read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset
    }
  }

  private Reply next() throws IOException {
    String line = line();
    char type = line.charAt(0);
    String rest = line.substring(1);
    return switch (type) {
      case '_' -> new Reply(type, null, List.of());
      case '$', '=' -> new Reply(type, rest.equals("-1") ? null : bulk(rest), List.of());
      case '*', '~', '>', '%' ->
          rest.equals("-1")
              ? new Reply(type, null, List.of())
              : new Reply(type, rest, parts(Integer.parseInt(rest) * (type == '%' ? 2 : 1)));
      case '+', '-', ':', ',', '#', '(' -> new Reply(type, rest, List.of());
      default -> throw new IOException("no reply begins like this: " + line);
    };
  }

  private List<Reply> parts(int count) throws IOException {
    List<Reply> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(next());
    }
    return parts;
  }

  private String bulk(String length) throws IOException {
    byte[] bytes = in.readNBytes(Integer.parseInt(length));
    if (bytes.length < Integer.parseInt(length) || in.read() != '\r' || in.read() != '\n') {
      throw new EOFException("a bulk string without its end");
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\r'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server has closed the connection");
      }
      line.append((char) c);
    }
    if (in.read() != '\n' || line.isEmpty()) {
      throw new IOException("no line of a reply: " + line);
    }
    return line.toString();
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
