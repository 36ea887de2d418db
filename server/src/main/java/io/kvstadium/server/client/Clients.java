package io.kvstadium.server.client;

import io.kvstadium.server.log.Log;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The connected clients of the Redis protocol, and what they may take. Safe for all threads. */
public final class Clients {
  /** A connected client, and how to cut it off. */
  public record Connected(Client client, Runnable close) {}

  private final Map<Long, Connected> connected = new ConcurrentHashMap<>();
  private final Budget budget;
  private final OutputLimits outputLimits;
  private final Pause pause;
  private final InstantSource clock;
  private final Log log;
  private volatile int maxString;

  /**
   * Starts without clients.
   *
   * @param budget the memory of requests and replies
   * @param outputLimits the value of the parameter {@link OutputLimits#PARAMETER}
   * @param maxString bytes of a string
   * @param timer runs a task after a number of milliseconds
   */
  public Clients(
      Budget budget,
      String outputLimits,
      int maxString,
      BiFunction<Long, Runnable, Future<?>> timer,
      InstantSource clock,
      Log log) {
    this.budget = budget;
    this.outputLimits = new OutputLimits(outputLimits);
    this.maxString = maxString;
    this.pause = new Pause(timer);
    this.clock = clock;
    this.log = log;
  }

  /** A client has connected. */
  public void add(Client client, Runnable close) {
    connected.put(client.id(), new Connected(client, close));
  }

  /** A client is gone. */
  public void remove(Client client) {
    connected.remove(client.id());
  }

  /** The client with a number, or {@code null}. */
  public @Nullable Connected get(long id) {
    return connected.get(id);
  }

  public Collection<Connected> all() {
    return connected.values();
  }

  public int size() {
    return connected.size();
  }

  /** Ends the connections of some users. */
  public void disconnect(Set<String> users) {
    for (Connected each : connected.values()) {
      String user = each.client().user;
      if (user != null && users.contains(user)) {
        each.close().run();
      }
    }
  }

  /** The memory of requests and replies. */
  public Budget budget() {
    return budget;
  }

  /** How much of a client's output may wait. */
  public OutputLimits outputLimits() {
    return outputLimits;
  }

  /** A client is ended because so many bytes wait to be sent to it. */
  public void outputLimitReached(Client client, long bytes) {
    log.event(
        "cut-off",
        "client %s closed for overcoming of output buffer limits: %d bytes waited for it to read them (client-output-buffer-limit)"
            .formatted(ClientLine.of(client, clock.millis()), bytes),
        "address",
        client.address(),
        "bytes",
        bytes);
  }

  public Pause pause() {
    return pause;
  }

  /** The longest string in bytes. */
  public int maxString() {
    return maxString;
  }

  public void maxString(int bytes) {
    maxString = bytes;
  }
}
