package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.OptionsMap;
import com.datastax.oss.driver.api.core.config.TypedDriverOption;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.ssl.ProgrammaticSslEngineFactory;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.OwnThread;
import io.kvstadium.store.engine.help.ServerUrls;
import java.net.InetSocketAddress;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A keyspace of a cluster, and how to connect to it.
 *
 * @param hosts where to ask for the cluster's other nodes
 * @param keyspace its name
 * @param user who connects, or {@code null} for nobody
 */
record Address(
    List<InetSocketAddress> hosts, CqlIdentifier keyspace, @Nullable String user, Options options) {
  private static final String PASSWORD = "CASSANDRA_PASSWORD";
  private static final int USUAL_PORT = 9042;

  /** Further requests wait here, not at the node. */
  private static final int MOST_REQUESTS = 1_024;

  private static final int QUIET_MILLIS = 20;
  private static final int LONGEST_SHUTDOWN_MILLIS = 15_000;
  private static final Duration BEFORE_ANOTHER_NODE = Duration.ofMillis(500);
  private static final Duration MOST_BEFORE_RECONNECTION = Duration.ofSeconds(5);
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
    ServerUrls.checkUser("cassandra", user, PASSWORD);
    List<InetSocketAddress> hosts = new ArrayList<>();
    for (String each : form.group(2).split(",", -1)) {
      Matcher host = HOST.matcher(each);
      int port = !host.matches() ? -1 : host.group(2) == null ? USUAL_PORT : port(host.group(2));
      if (port < 1 || port > 0xffff) {
        throw wrong(location);
      }
      hosts.add(InetSocketAddress.createUnresolved(host.group(1), port));
    }
    return new Address(hosts, CqlIdentifier.fromInternal(form.group(3)), user, options);
  }

  private static int port(String digits) {
    return Integer.parseInt(digits);
  }

  private static BadArgumentException wrong(String location) {
    return new BadArgumentException(
        "cassandra: '"
            + location
            + "' is not the address of a keyspace: write"
            + " cassandra://user@host:port,host:port/keyspace,"
            + " the keyspace of up to 48 letters, digits and underscores");
  }

  /** A new session, to be closed; made by a thread that nobody interrupts. */
  CqlSession connect() {
    return OwnThread.once("stadium-cassandra", this::session);
  }

  private CqlSession session() {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withConfigLoader(DriverConfigLoader.fromMap(settings()))
            .withClassLoader(Address.class.getClassLoader());
    hosts.forEach(host -> builder.addContactPoint(resolved(host)));
    if (user != null) {
      String password = ServerUrls.password("cassandra", options.text("password_file"), PASSWORD);
      builder.withAuthCredentials(user, password == null ? "" : password);
    }
    if (options.bool("tls")) {
      builder.withSslEngineFactory(new ProgrammaticSslEngineFactory(trust(), null, true));
    }
    CqlSession session = builder.build();
    try {
      checkDatacenter(session);
      return session;
    } catch (RuntimeException | Error e) {
      session.close();
      throw e;
    }
  }

  private OptionsMap settings() {
    OptionsMap settings = OptionsMap.driverDefaults();
    settings.put(
        TypedDriverOption.REQUEST_CONSISTENCY,
        options.text("consistency").toUpperCase(Locale.ROOT));
    settings.put(TypedDriverOption.REQUEST_TIMEOUT, options.duration("timeout"));
    // a put or a deletion with its timestamp may be repeated; what may not be says so
    settings.put(TypedDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true);
    // and a node that hangs does not hold up what another one can do
    settings.put(
        TypedDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS, "ConstantSpeculativeExecutionPolicy");
    settings.put(TypedDriverOption.SPECULATIVE_EXECUTION_MAX, 2);
    settings.put(TypedDriverOption.SPECULATIVE_EXECUTION_DELAY, BEFORE_ANOTHER_NODE);
    settings.put(TypedDriverOption.REQUEST_THROTTLER_CLASS, "ConcurrencyLimitingRequestThrottler");
    settings.put(TypedDriverOption.REQUEST_THROTTLER_MAX_CONCURRENT_REQUESTS, MOST_REQUESTS);
    settings.put(TypedDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, Integer.MAX_VALUE);
    settings.put(TypedDriverOption.CONNECTION_MAX_REQUESTS, 2 * MOST_REQUESTS);
    settings.put(TypedDriverOption.RECONNECTION_MAX_DELAY, MOST_BEFORE_RECONNECTION);
    settings.put(TypedDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy");
    if (options.has("datacenter")) {
      settings.put(TypedDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, options.text("datacenter"));
    }
    // only this keyspace, for its replicas; and at once, since a schema change waits for it
    settings.put(
        TypedDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES, List.of(keyspace.asInternal()));
    settings.put(TypedDriverOption.METADATA_SCHEMA_WINDOW, Duration.ZERO);
    settings.put(TypedDriverOption.NETTY_DAEMON, true);
    // with 0 the driver's close would meet its own end, which Netty prints
    settings.put(TypedDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0);
    settings.put(TypedDriverOption.NETTY_ADMIN_SHUTDOWN_UNIT, "MILLISECONDS");
    settings.put(TypedDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, QUIET_MILLIS);
    settings.put(TypedDriverOption.NETTY_ADMIN_SHUTDOWN_TIMEOUT, LONGEST_SHUTDOWN_MILLIS);
    return settings;
  }

  private static InetSocketAddress resolved(InetSocketAddress host) {
    InetSocketAddress resolved = new InetSocketAddress(host.getHostString(), host.getPort());
    if (resolved.isUnresolved()) {
      throw new StoreIoException(
          "cassandra: unknown host " + host.getHostString() + ": check the URL");
    }
    return resolved;
  }

  private static SSLContext trust() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new BadArgumentException(
          "cassandra: the JVM's trusted certificates cannot be read: " + e, e);
    }
  }

  private void checkDatacenter(CqlSession session) {
    String asked = options.text("datacenter");
    TreeSet<String> there = new TreeSet<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      there.add(String.valueOf(node.getDatacenter()));
    }
    if (!asked.isEmpty() && !there.contains(asked)) {
      throw new BadArgumentException(
          "cassandra: " + this + " has no datacenter '" + asked + "': it has " + there);
    }
  }

  @Override
  public String toString() {
    return hosts.stream()
            .map(host -> host.getHostString() + ":" + host.getPort())
            .collect(Collectors.joining(","))
        + "/"
        + keyspace.asInternal();
  }
}
