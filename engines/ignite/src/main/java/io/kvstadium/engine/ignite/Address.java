package io.kvstadium.engine.ignite;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.OwnThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ignite.client.BasicAuthenticator;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.client.SslConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * A zone of a cluster, and how to connect to it.
 *
 * @param hosts the nodes to connect to, each a host and a port
 * @param zone its name, which is also that of the schema with the store's tables
 * @param user who connects, or {@code null} for nobody
 */
record Address(List<String> hosts, String zone, @Nullable String user, Options options) {
  private static final int USUAL_PORT = 10800;
  private static final Pattern FORM =
      Pattern.compile("//(?:([^/@]+)@)?([^/@]+)/([a-zA-Z]\\w{0,47})");
  private static final Pattern HOST =
      Pattern.compile("(\\[[^\\]]+\\]|[^:\\[\\]]+)(?::(\\d{1,5}))?");

  static Address of(String location, Options options) {
    Matcher form = FORM.matcher(location);
    if (!form.matches()) {
      throw wrong(location);
    }
    String user = form.group(1);
    if (user != null && user.contains(":")) {
      throw new BadArgumentException(
          "ignite: a URL may not contain a password, since URLs are printed: put it into a file and"
              + " name that with password_file, or into $IGNITE_PASSWORD");
    }
    List<String> hosts = hosts(form.group(2), USUAL_PORT);
    if (hosts.isEmpty()) {
      throw wrong(location);
    }
    return new Address(hosts, form.group(3), user, options);
  }

  /** The hosts with their ports; empty if the text is not a list of hosts. */
  private static List<String> hosts(String text, int usualPort) {
    List<String> hosts = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      Matcher host = HOST.matcher(each);
      int port =
          !host.matches()
              ? -1
              : host.group(2) == null ? usualPort : Integer.parseInt(host.group(2));
      if (port < 1 || port > 0xffff) {
        return List.of();
      }
      hosts.add(host.group(1) + ":" + port);
    }
    return hosts;
  }

  private static BadArgumentException wrong(String location) {
    return new BadArgumentException(
        "ignite: '"
            + location
            + "' is not the address of a zone: write ignite://user@host:port,host:port/zone, the"
            + " zone of up to 48 letters, digits and underscores");
  }

  /** Returns a connection that must be closed. */
  Connection connect() {
    return new Connection(this);
  }

  /** A new client of a host; made by a thread that nobody interrupts. */
  IgniteClient client(String host) {
    return OwnThread.once("stadium-ignite", () -> build(host));
  }

  private IgniteClient build(String host) {
    IgniteClient.Builder builder =
        IgniteClient.builder()
            .addresses(host)
            .connectTimeout(timeout().toMillis())
            .operationTimeout(timeout().toMillis())
            .loggerFactory(QuietLog::new);
    if (user != null) {
      builder.authenticator(
          BasicAuthenticator.builder().username(user).password(password()).build());
    }
    if (options.bool(IgniteOptions.TLS)) {
      builder.ssl(SslConfiguration.builder().enabled(true).build());
    }
    return builder.build();
  }

  /** How long to wait for an answer. */
  Duration timeout() {
    return options.duration(IgniteOptions.TIMEOUT);
  }

  /** Where the nodes' REST is; empty if the option does not say. */
  List<String> rest() {
    String text = options.text(IgniteOptions.REST);
    List<String> hosts = hosts(text, restPort());
    if (hosts.isEmpty() && !text.isEmpty()) {
      throw new BadArgumentException(
          "ignite: rest=" + text + " names no hosts: write rest=host:port,host:port");
    }
    return hosts;
  }

  /** Where the REST of a node usually is. */
  int restPort() {
    return options.bool(IgniteOptions.TLS) ? 10400 : 10300;
  }

  /** The user's password; empty if there is none. */
  String password() {
    String file = options.text(IgniteOptions.PASSWORD_FILE);
    if (file.isEmpty()) {
      return Objects.requireNonNullElse(System.getenv("IGNITE_PASSWORD"), "");
    }
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines.findFirst().orElse("");
    } catch (IOException e) {
      throw new StoreIoException(
          "ignite: password_file=" + file + " cannot be read; check path and rights: " + e, e);
    }
  }

  @Override
  public String toString() {
    return String.join(",", hosts) + "/" + zone;
  }
}
