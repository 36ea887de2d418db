package io.kvstadium.cli.serve;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;

/**
 * Requests of all kinds to a server on a store in memory, that nobody else can use: classes are
 * loaded and linked, and what every request runs is compiled, before the first client asks. Without
 * it the first two hundred answers took up to 70 ms ({@code benchmarks/tails.py}).
 */
public final class Rehearsal {
  /** What applications ask for: one of each kind of value. */
  private static final List<String> REQUESTS =
      List.of(
          "SET k v",
          "GET k",
          "SETEX e 100 v",
          "INCR n",
          "MSET a 1 b 2",
          "MGET a b c",
          "EXPIRE a 100",
          "TTL a",
          "EXISTS a",
          "DEL a",
          "LPUSH l a b c",
          "LRANGE l 0 -1",
          "RPOP l",
          "HSET h f v g w",
          "HGET h f",
          "HGETALL h",
          "SADD s a b",
          "SISMEMBER s a",
          "SMEMBERS s",
          "ZADD z 1 a 2 b",
          "ZSCORE z a",
          "ZRANGE z 0 -1",
          "XADD x * f v",
          "XRANGE x - + COUNT 1",
          "MULTI",
          "SET k v",
          "EXEC",
          "SCAN 0",
          "PING");

  /** More of them made the first answers no faster. */
  private static final int ROUNDS = 20;

  /** Whatever happens, the user's server comes next. */
  private static final int MAX_MILLIS = 5_000;

  private Rehearsal() {}

  /**
   * Takes a tenth of a second or two.
   *
   * @throws IOException if the server does not answer
   */
  public static void run(Engines engines) throws IOException {
    String password = new BigInteger(128, new SecureRandom()).toString(Character.MAX_RADIX);
    ServerOptions options = ServerOptions.DEFAULT.redisPort(0).httpPort(-1).password(password);
    try (Store store = engines.open("memory:", OpenOptions.DEFAULT);
        Server server = Server.start(store, options, _ -> {});
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.redisPort())) {
      client.setSoTimeout(MAX_MILLIS);
      String requests = String.join("\r\n", REQUESTS) + "\r\n";
      String all = "AUTH " + password + "\r\n" + requests.repeat(ROUNDS) + "QUIT\r\n";
      client.getOutputStream().write(all.getBytes(StandardCharsets.US_ASCII));
      client.getInputStream().readAllBytes();
    }
  }
}
