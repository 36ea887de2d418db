package io.kvstadium.transfer.redis;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server that speaks the Redis protocol. A reply is a {@code byte[]}, a {@code
 * Long}, a {@code List}, a {@link Failed} or {@code null}. Belongs to one thread.
 */
final class RespLink implements AutoCloseable {
  private static final int USUAL_PORT = 6379;
  private static final int CONNECT_MILLIS = 5_000;
  private static final int ANSWER_MILLIS = 60_000;
  private static final int BUFFER = 1 << 16;
  private static final String FORM = "write redis://user:password@host:port/database";

  private final String name;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final Consumer<List<?>> pushes;

  /** An error that the server answered. */
  record Failed(String text) {}

  /**
   * Connects.
   *
   * @param uri redis://host or, encrypted, rediss://host
   * @param pushes receives what comes unasked
   */
  RespLink(URI uri, Consumer<List<?>> pushes) {
    this.pushes = pushes;
    int port = uri.getPort() < 0 ? USUAL_PORT : uri.getPort();
    this.name = uri.getHost() + ":" + port;
    @SuppressWarnings("resource") // closed with this, or below
    Socket plain = new Socket();
    try {
      plain.connect(new InetSocketAddress(uri.getHost(), port), CONNECT_MILLIS);
      plain.setTcpNoDelay(true);
      plain.setSoTimeout(CONNECT_MILLIS);
      socket = uri.getScheme().equals("rediss") ? encrypted(plain, uri.getHost(), port) : plain;
      socket.setSoTimeout(ANSWER_MILLIS);
      in = new BufferedInputStream(socket.getInputStream(), BUFFER);
      out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
    } catch (IOException e) {
      try {
        plain.close();
      } catch (IOException another) {
        e.addSuppressed(another);
      }
      throw new StoreIoException("cannot connect to Redis at " + name + ": " + e.getMessage(), e);
    }
  }

  /** The address in a URL of which other parts may be secret. */
  static URI address(String url) {
    try {
      URI uri = new URI(url);
      String path = uri.getPath();
      if (uri.getHost() != null && path != null && path.matches("/?|/\\d{1,5}")) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // said below, without what may be a password
    }
    throw new BadArgumentException("the address of the Redis server is not one: " + FORM);
  }

  /** Without an answer within the time of the socket, there is no TLS. */
  static Socket encrypted(Socket plain, String host, int port) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    try {
      socket.startHandshake();
    } catch (SocketTimeoutException e) {
      throw new IOException("it does not speak TLS at this port; without TLS: redis://", e);
    }
    return socket;
  }

  /** Host and port. */
  String name() {
    return name;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Adds a request to those that the next {@link #read} sends. */
  void send(byte[]... words) {
    try {
      out.write(bytes("*" + words.length + "\r\n"));
      for (byte[] word : words) {
        out.write(bytes("$" + word.length + "\r\n"));
        out.write(word);
        out.write('\r');
        out.write('\n');
      }
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /** The reply to a request. */
  @Nullable Object call(String... words) {
    byte[][] request = new byte[words.length][];
    for (int i = 0; i < words.length; i++) {
      request[i] = bytes(words[i]);
    }
    send(request);
    return read();
  }

  /** The reply to a request that must not fail. */
  @Nullable Object need(String... words) {
    return needed(call(words), words[0]);
  }

  /** A reply that must not be an error. */
  @Nullable Object needed(@Nullable Object reply, String command) {
    if (reply instanceof Failed failed) {
      throw new StoreIoException(
          name + " refuses " + command + ", which an import needs: " + failed.text());
    }
    return reply;
  }

  /** The next reply. */
  @Nullable Object read() {
    try {
      out.flush();
      while (true) {
        int type = octet();
        Object value = value(type);
        if (type == '>' && value instanceof List<?> push) {
          pushes.accept(push);
        } else {
          return value;
        }
      }
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private StoreIoException lost(IOException e) {
    String what =
        switch (e) {
          case EOFException _ -> "it closed the connection";
          case SocketTimeoutException _ -> "no answer within " + ANSWER_MILLIS / 1_000 + " s";
          default -> String.valueOf(e.getMessage());
        };
    return new StoreIoException("the connection to Redis at " + name + " was lost: " + what, e);
  }

  private int octet() throws IOException {
    int read = in.read();
    if (read < 0) {
      throw new EOFException();
    }
    return read;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = octet(); next != '\r'; next = octet()) {
      line.append((char) next);
    }
    octet();
    return line.toString();
  }

  private @Nullable Object value(int type) throws IOException {
    String line = line();
    switch (type) {
      case '+', ',', '(', '#' -> {
        return line.getBytes(StandardCharsets.ISO_8859_1);
      }
      case '-' -> {
        return new Failed(line);
      }
      case '_' -> {
        return null;
      }
      default -> {}
    }
    long number;
    try {
      number = Long.parseLong(line);
    } catch (NumberFormatException e) {
      throw new IOException("it does not speak the Redis protocol", e);
    }
    return switch (type) {
      case ':' -> number;
      case '$', '=', '!' -> number < 0 ? null : bulk(type, (int) Math.min(number, 1 << 30));
      case '*', '~', '>', '%' -> number < 0 ? null : list(type == '%' ? 2 * number : number);
      default -> throw new IOException("it does not speak the Redis protocol");
    };
  }

  private Object bulk(int type, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    octet();
    octet();
    return type == '!' ? new Failed(text(bytes)) : bytes;
  }

  private List<@Nullable Object> list(long count) throws IOException {
    List<@Nullable Object> list = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      list.add(value(octet()));
    }
    return list;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // what it sent was read
    }
  }
}
