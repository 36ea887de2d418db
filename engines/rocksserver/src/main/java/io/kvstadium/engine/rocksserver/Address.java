package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.spi.ConnectionPool;
import io.kvstadium.store.spi.Options;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A server, and how to speak to it.
 *
 * @param place for messages
 * @param keys how keys are sent
 * @param shared whether its keys may be others'
 * @param requestLine bytes of the longest request line
 */
record Address(
    String place,
    InetSocketAddress server,
    String agent,
    int timeoutMillis,
    KeyForm keys,
    boolean shared,
    int requestLine)
    implements ConnectionPool.Kind<HttpConnection, IOException> {
  /** The port of {@code stadium serve}. */
  private static final int USUAL_PORT = 5577;

  private static final byte[] PING = "/ping".getBytes(StandardCharsets.US_ASCII);

  static Address of(String location, Options options) {
    URI uri;
    try {
      uri = new URI("rocksserver:" + location);
    } catch (URISyntaxException e) {
      throw wrong(location, e);
    }
    String path = uri.getPath();
    if (uri.getHost() == null || uri.getUserInfo() != null || path == null || !path.matches("/?")) {
      throw wrong(location, null);
    }
    String agent = options.text(RocksServerOptions.CLIENT_NAME);
    if (!agent.matches("[!-~]{1,100}")) {
      throw new BadArgumentException(
          "rocksserver: client_name=" + agent + ": use letters, digits and signs, without blanks");
    }
    return new Address(
        uri.getAuthority(),
        InetSocketAddress.createUnresolved(
            uri.getHost(), uri.getPort() < 0 ? USUAL_PORT : uri.getPort()),
        agent,
        Math.toIntExact(options.duration(RocksServerOptions.TIMEOUT).toMillis()),
        options.text(RocksServerOptions.KEYS).equals("hex") ? KeyForm.HEX : KeyForm.RAW,
        options.bool(RocksServerOptions.SHARED),
        Math.toIntExact(options.size(RocksServerOptions.REQUEST_LINE)));
  }

  private static BadArgumentException wrong(String location, @Nullable Exception why) {
    return new BadArgumentException(
        "rocksserver: '"
            + location
            + "' is not the address of a server: write rocksserver://host:port",
        why);
  }

  @Override
  public HttpConnection connect() throws IOException {
    return new HttpConnection(server, agent, timeoutMillis);
  }

  @Override
  public boolean isUsable(HttpConnection connection) {
    return connection.isUsable();
  }

  @Override
  public boolean answers(HttpConnection connection) {
    try {
      connection.get(PING).finish();
      return connection.isUsable();
    } catch (IOException _) {
      return false; // the server has closed it, or ended: another one will show
    }
  }

  @Override
  public void close(HttpConnection connection) {
    connection.close();
  }

  @Override
  public String toString() {
    return place;
  }
}
