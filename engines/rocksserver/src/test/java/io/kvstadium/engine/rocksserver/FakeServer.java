package io.kvstadium.engine.rocksserver;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers by the protocol's rules, from a map. Scans come in chunks, everything else in one piece.
 */
final class FakeServer implements AutoCloseable {
  private static final int CHUNK = 1_000;

  private final ServerSocket listening;
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private final NavigableMap<byte[], byte[]> map = new TreeMap<>(Arrays::compareUnsigned);
  private volatile boolean failing;

  private FakeServer(ServerSocket listening) {
    this.listening = listening;
  }

  static FakeServer start() throws IOException {
    FakeServer server = new FakeServer(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()));
    Thread.ofPlatform().daemon().start(server::accept);
    return server;
  }

  String url() {
    return "rocksserver://127.0.0.1:" + listening.getLocalPort();
  }

  /** What other clients would see. */
  synchronized List<String> keys() {
    return map.keySet().stream().map(key -> new String(key, StandardCharsets.UTF_8)).toList();
  }

  synchronized void put(String key, String value) {
    map.put(key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
  }

  /** From now on each answer is FAIL. */
  void fail() {
    failing = true;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        clients.add(client);
        Thread.ofPlatform().daemon().start(() -> serve(client));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        InputStream in = new BufferedInputStream(client.getInputStream());
        OutputStream out = new BufferedOutputStream(client.getOutputStream())) {
      client.setTcpNoDelay(true);
      for (byte[] head = line(in); head != null; head = line(in)) {
        int length = 0;
        for (byte[] line = line(in); line != null && line.length > 1; line = line(in)) {
          String header = text(line).strip();
          if (header.startsWith("Content-Length: ")) {
            length = Integer.parseInt(header.substring(16));
          }
        }
        answer(text(head), in.readNBytes(length), out);
        out.flush();
      }
    } catch (IOException _) {
      clients.remove(client); // it disconnected in the middle
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte @Nullable [] line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int each = in.read();
    if (each < 0) {
      return null;
    }
    for (; each != '\n' && each >= 0; each = in.read()) {
      line.write(each);
    }
    return line.toByteArray();
  }

  private void answer(String head, byte[] body, OutputStream out) throws IOException {
    String[] words = head.strip().split(" ", -1);
    if (words.length != 3) {
      throw new IOException("no request line: " + head);
    }
    String[] target = words[1].split("\\?", 2);
    String query = target.length < 2 ? "" : target[1];
    String[] keys = query.split("&", -1);
    ByteArrayOutputStream reply = new ByteArrayOutputStream();
    synchronized (this) {
      switch (failing ? "" : target[0]) {
        case "/get" -> value(reply, map.get(bytes(query)));
        case "/mget" -> {
          for (String key : keys) {
            pair(reply, bytes(key), map.get(bytes(key)));
          }
        }
        case "/seeknext-range" ->
            map.subMap(bytes(keys[0]), true, bytes(keys[1]), true)
                .forEach((key, value) -> pair(reply, key, value));
        case "/seekprev-range" -> {
          byte @Nullable [] from = map.floorKey(bytes(keys[0]));
          if (from != null) {
            map.subMap(from, true, bytes(keys[1]), true)
                .forEach((key, value) -> pair(reply, key, value));
          } else if (!map.isEmpty()
              && Arrays.compareUnsigned(map.firstKey(), bytes(keys[1])) <= 0) {
            map.headMap(bytes(keys[1]), true).forEach((key, value) -> pair(reply, key, value));
          }
        }
        case "/set", "/mset", "/mdelset" -> {
          write(body);
          reply.writeBytes(bytes("OK\n"));
        }
        case "/del", "/mdel" -> {
          for (String key : text(body).split("\n", -1)) {
            map.remove(bytes(key));
          }
          reply.writeBytes(bytes("OK\n"));
        }
        case "/ping" -> reply.writeBytes(bytes("pong"));
        case "/stats" -> reply.writeBytes(bytes("a: 1\n"));
        default -> reply.writeBytes(bytes("FAIL\n"));
      }
    }
    send(out, reply.toByteArray(), target[0].startsWith("/seek"));
  }

  private void write(byte[] body) throws IOException {
    List<Map.Entry<byte[], byte[]>> pairs = new ArrayList<>();
    InputStream in = new ByteArrayInputStream(body);
    for (byte[] key = line(in); key != null; key = line(in)) {
      byte[] length = line(in);
      if (length == null) {
        throw new IOException("a pair without a length");
      }
      pairs.add(Map.entry(key, in.readNBytes(Integer.parseInt(text(length)))));
      in.read(); // a line feed, except after the last
    }
    boolean deletes = true;
    for (Map.Entry<byte[], byte[]> pair : pairs) {
      deletes &= pair.getKey().length == 0;
      if (deletes) {
        map.remove(pair.getValue());
      } else {
        map.put(pair.getKey(), pair.getValue());
      }
    }
  }

  private static void value(ByteArrayOutputStream reply, byte @Nullable [] value) {
    if (value == null) {
      reply.writeBytes(bytes("-1\n"));
    } else {
      reply.writeBytes(bytes(value.length + "\n"));
      reply.writeBytes(value);
      reply.write('\n');
    }
  }

  private static void pair(ByteArrayOutputStream reply, byte[] key, byte @Nullable [] value) {
    reply.writeBytes(key);
    reply.write('\n');
    value(reply, value);
  }

  private static void send(OutputStream out, byte[] reply, boolean chunked) throws IOException {
    out.write(bytes("HTTP/1.1 200 OK\r\n"));
    if (!chunked) {
      out.write(bytes("content-length: " + reply.length + "\r\n\r\n"));
      out.write(reply);
      return;
    }
    out.write(bytes("transfer-encoding: chunked\r\n\r\n"));
    for (int from = 0; from < reply.length; from += CHUNK) {
      int length = Math.min(CHUNK, reply.length - from);
      out.write(bytes(Integer.toHexString(length) + "\r\n"));
      out.write(reply, from, length);
      out.write(bytes("\r\n"));
    }
    out.write(bytes("0\r\n\r\n"));
  }

  /** Closes the connections of all clients. */
  void disconnect() throws IOException {
    for (Socket each : clients) {
      each.close();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    disconnect();
  }
}
