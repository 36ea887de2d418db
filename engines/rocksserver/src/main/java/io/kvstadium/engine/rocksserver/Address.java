package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.ServerUrls;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A server, and how to speak to it.
 *
 * @param hex whether keys are sent as hexadecimal digits
 * @param shared whether its keys may be others'
 */
record Address(String host, int port, boolean hex, boolean shared, Duration timeout) {
  /** The port of {@code stadium serve}. */
  private static final int USUAL_PORT = 5577;

  private static final String FORM = "write rocksserver://host:port";

  /** What a URL may have in its query, without what means something to the protocol. */
  private static final Pattern PLAIN = Pattern.compile("[\\w.~:/@!$'()*+,;=-]*");

  static Address of(String location, Options options) {
    URI uri = ServerUrls.parse("rocksserver", location, FORM);
    String path = uri.getPath();
    if (uri.getUserInfo() != null || path == null || !path.matches("/?")) {
      throw new BadArgumentException("rocksserver: '" + location + "' is not an address: " + FORM);
    }
    return new Address(
        uri.getHost(),
        uri.getPort() < 0 ? USUAL_PORT : uri.getPort(),
        options.text("keys").equals("hex"),
        options.bool("shared"),
        options.duration("timeout"));
  }

  /** The text for a key, in the order of the keys. */
  String encode(byte[] key) {
    if (hex) {
      return HexFormat.of().formatHex(key);
    }
    String text = new String(key, StandardCharsets.ISO_8859_1);
    if (!PLAIN.matcher(text).matches()) {
      throw new BadArgumentException(
          "rocksserver: a key may have letters, digits and the signs .-_~:/@!$'()*+,;= in a request:"
              + " use other keys, or open with keys=hex");
    }
    return text;
  }

  /** The key for a text. */
  byte[] decode(String text) {
    try {
      return hex ? HexFormat.of().parseHex(text) : text.getBytes(StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      throw new BadArgumentException(
          "rocksserver: %s has the key '%s', which is not of digits: open with keys=raw"
              .formatted(this, text),
          e);
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
