package io.kvstadium.cli;

import io.kvstadium.bench.run.Settings;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A suite whose configurations are measured behind {@code stadium serve}: each is replaced by one
 * of the engine that speaks the server's protocol, and the configuration to serve is kept
 * separately.
 */
final class OverTheWire {
  /** A protocol that the server speaks. */
  enum Protocol {
    RESP("redis", "//127.0.0.1:%s/0"),
    HTTP("rocksserver", "//127.0.0.1:%s");

    private final String engine;
    private final String location;

    Protocol(String engine, String location) {
      this.engine = engine;
      this.location = location;
    }

    static Protocol of(String word) {
      return switch (word) {
        case "resp" -> RESP;
        case "http" -> HTTP;
        default -> throw new BadArgumentException("--over " + word + ": give resp or http");
      };
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Where the server is. */
    String at(int port) {
      return location.formatted(port);
    }

    /** A server whose port is not known yet. */
    private String somewhere() {
      return at(1);
    }
  }

  /** The suffix of a name with several clients. */
  private static final Pattern CLIENTS = Pattern.compile(", \\d+ clients?$");

  private final Protocol protocol;
  private final Engines engines;
  private final Settings settings;
  private final Map<String, Configuration> served = new HashMap<>();

  OverTheWire(Protocol protocol, Engines engines, Settings settings) {
    this.protocol = protocol;
    this.engines = engines;
    this.settings = settings;
  }

  Protocol protocol() {
    return protocol;
  }

  /** The configuration to serve for the named one, or {@code null} if it is not behind a server. */
  @Nullable Configuration served(String name) {
    return served.get(CLIENTS.matcher(name).replaceFirst(""));
  }

  /** The suite, over the wire. */
  Suite of(Suite suite) {
    List<Experiment> experiments = new ArrayList<>();
    for (Experiment each : suite.experiments()) {
      if (each.paired()) {
        throw new BadArgumentException(
            "--over: suite "
                + suite.name()
                + " compares engines with their own APIs, which a server does not offer");
      }
      experiments.add(each.withConfigurations(own(each).stream().map(this::wired).toList()));
    }
    return suite.withExperiments(experiments);
  }

  private List<Configuration> own(Experiment experiment) {
    List<String> wanted = settings.engines();
    if (!experiment.configurations().isEmpty()) {
      return experiment.configurations().stream()
          .filter(each -> wanted.isEmpty() || wanted.contains(each.engine()))
          .filter(each -> each.access() == Access.SINGLE && each.location().isEmpty())
          .toList();
    }
    return (wanted.isEmpty() ? engines.names().stream().filter(this::isUsual).toList() : wanted)
        .stream()
            .map(each ->
                new Configuration(
                    each, each, Map.of(), Durability.CONSISTENT, Access.SINGLE, "equal"))
            .toList();
  }

  private boolean isUsual(String engine) {
    return engines.engine(engine).info().capabilities().contains(Capability.PERSISTENT)
        && !List.of(Protocol.RESP.engine, Protocol.HTTP.engine).contains(engine);
  }

  private Configuration wired(Configuration own) {
    Durability level = settings.durability() == null ? own.durability() : settings.durability();
    engines.engine(own.engine()); // refuses unknown names
    String name = own.name() + " over " + protocol.word();
    served.put(name, own.withDurability(level));
    // durability cannot be requested over HTTP: it is what the server was started with
    Durability asked = protocol == Protocol.HTTP ? Durability.NONE : level;
    return new Configuration(
        name,
        protocol.engine,
        Map.of(),
        Map.of(),
        asked,
        Access.SINGLE,
        protocol.somewhere(),
        own.group());
  }
}
