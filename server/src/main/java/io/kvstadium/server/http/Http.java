package io.kvstadium.server.http;

import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.figures.Figures;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** HTTP over one store: what all connections share. Safe for all threads. */
public final class Http {
  /** Makes connections end once their request is answered. */
  enum Event {
    DRAIN
  }

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final Executor executor;
  private volatile HttpLimits limits;
  private final Consumer<RuntimeException> reporter;
  private final Guard guard;
  private final Map<String, Consumer<Exchange>> further;
  private final Api api;
  private final Metrics metrics;
  private final Metrics.Traffic traffic;
  private final Semaphore scans;
  private final AtomicLong bodies = new AtomicLong();
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private volatile boolean draining;

  /**
   * HTTP over a store.
   *
   * @param visitors who may do what
   * @param reporter receives failures of the store
   * @param api what is served
   * @param further what starts executing a request, by its path, or by that of what is below
   *     ({@code /a/*}), before {@code api} is asked
   */
  public Http(
      Executor executor,
      Visitors visitors,
      HttpLimits limits,
      Consumer<RuntimeException> reporter,
      Api api,
      Map<String, Consumer<Exchange>> further) {
    this.executor = executor;
    this.limits = limits;
    this.reporter = reporter;
    this.api = api;
    this.further = further;
    guard = new Guard(visitors);
    List<String> names = new ArrayList<>(further.keySet());
    names.addAll(api.routes());
    metrics = new Metrics(names);
    traffic = metrics.new Traffic();
    scans = new Semaphore(limits.scans());
  }

  /** Sets the limits, as far as they concern connections and bodies to come. */
  public void limit(HttpLimits changed) {
    limits = changed;
  }

  /**
   * Serves a connection that was just accepted; closes it and returns false if it is one too many.
   */
  public boolean connect(Channel channel) {
    boolean full = connections.size() >= limits.connections();
    if (draining || full) {
      var _ = channel.close();
      return !full;
    }
    connections.add(channel);
    channel.config().setAutoRead(false);
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    channel
        .config()
        .setOption(
            ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(64 << 10, 256 << 10));
    channel
        .pipeline()
        .addLast(traffic)
        .addLast(new TargetDecoder(limits))
        .addLast(new HttpResponseEncoder())
        .addLast(new HttpConnection(this));
    return true;
  }

  /**
   * Answers what has arrived and closes the connections.
   *
   * @param atMost what is not answered by then is cut off
   */
  public void drain(Duration atMost) {
    draining = true;
    connections.forEach(channel -> channel.pipeline().fireUserEventTriggered(Event.DRAIN));
    connections.newCloseFuture().awaitUninterruptibly(atMost.toMillis(), TimeUnit.MILLISECONDS);
    connections.close().awaitUninterruptibly(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  boolean draining() {
    return draining;
  }

  Executor executor() {
    return executor;
  }

  HttpLimits limits() {
    return limits;
  }

  Guard guard() {
    return guard;
  }

  Metrics metrics() {
    return metrics;
  }

  /** One permit for each scan that may be open. */
  Semaphore scans() {
    return scans;
  }

  /** Counts bytes of kept bodies and replies; returns whether these may be kept too. */
  boolean keep(int bytes) {
    long all = bodies.addAndGet(bytes);
    if (all <= limits.bodies() || all == bytes) { // one is allowed whatever its size
      return true;
    }
    bodies.addAndGet(-bytes);
    return false;
  }

  /** The bytes are no longer kept. */
  void forget(int bytes) {
    bodies.addAndGet(-bytes);
  }

  CharSequence date() {
    return DATE.format(Instant.now());
  }

  void report(RuntimeException failure) {
    reporter.accept(failure);
  }

  /** What serves a request. */
  Route route(Request request) {
    int slash = request.path().indexOf('/', 1);
    String below = slash < 0 ? "" : request.path().substring(0, slash + 1) + "*";
    String name = further.containsKey(below) ? below : request.path();
    Consumer<Exchange> handler = further.get(name);
    return handler == null
        ? api.route(request)
        : new Route(name, exchange -> serve(handler, exchange));
  }

  private static void serve(Consumer<Exchange> handler, Exchange exchange) {
    try {
      handler.accept(exchange);
    } catch (HttpException e) {
      exchange.answer(Problems.reply(e));
    }
  }

  /** The answer to a request that cannot be executed. */
  static Reply refusal(HttpException failure) {
    return Problems.reply(failure);
  }

  /** Tells what it has counted. */
  public void tell(Figures figures) {
    metrics.tell(figures);
    figures.gauge("stadium_http_connections", "Open connections of HTTP.", connections.size());
    figures.gauge(
        "stadium_http_open_scans", "Scans in progress.", limits.scans() - scans.availablePermits());
    figures.gauge("stadium_http_kept_body_bytes", "Bodies and replies in memory.", bodies.get());
  }
}
