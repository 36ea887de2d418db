package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.ConnectionPool;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.ServerUrls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

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

  private static final String FORM = "write rocksserver://host:port";
  private static final byte[] PING = "/ping".getBytes(StandardCharsets.US_ASCII);

  static Address of(String location, Options options) {
    URI uri = ServerUrls.parse("rocksserver", location, FORM);
    String path = uri.getPath();
    if (uri.getUserInfo() != null || path == null || !path.matches("/?")) {
      throw new BadArgumentException("rocksserver: '" + location + "' is not an address: " + FORM);
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
