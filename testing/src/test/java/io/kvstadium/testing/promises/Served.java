package io.kvstadium.testing.promises;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server over a store that loses nothing, and a client. */
final class Served implements AutoCloseable {
  private final Store store;
  private final Server server;
  private final Socket socket;
  private final DataInputStream in;

  Served(Path directory, ServerOptions.Bound bound) throws IOException {
    store = Stadium.open(Numbers.durable("rocksdb", directory));
    ServerOptions options = ServerOptions.DEFAULT.redisPort(0).httpPort(-1);
    server = Server.start(store, options.limits(options.limits().bound(bound)), _ -> {});
    socket = new Socket(InetAddress.getLoopbackAddress(), server.redisPort());
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  Served(Path directory) throws IOException {
    this(directory, ServerOptions.Bound.NONE);
  }

  /** The reply to a command: a text, a number, a list of these, or {@code null}. */
  @Nullable Object ask(Object... words) throws IOException {
    StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
    for (Object word : words) {
      int length = word.toString().getBytes(StandardCharsets.UTF_8).length;
      request.append('$').append(length).append("\r\n").append(word).append("\r\n");
    }
    socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
    return reply();
  }

  String text(Object... words) throws IOException {
    return String.valueOf(ask(words));
  }

  long number(Object... words) throws IOException {
    Object reply = ask(words);
    return reply == null ? 0 : Long.parseLong(reply.toString());
  }

  List<?> list(Object... words) throws IOException {
    return ask(words) instanceof List<?> found ? found : List.of();
  }

  private @Nullable Object reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> {
        List<@Nullable Object> all = new ArrayList<>();
        for (int i = Integer.parseInt(rest); i > 0; i--) {
          all.add(reply());
        }
        yield all;
      }
      default -> throw new IOException(line);
    };
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    line();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int each = in.readUnsignedByte(); each != '\r'; each = in.readUnsignedByte()) {
      line.append((char) each);
    }
    in.readUnsignedByte();
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    server.close();
    store.close();
  }
}
