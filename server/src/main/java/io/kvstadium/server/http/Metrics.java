package io.kvstadium.server.http;

import io.kvstadium.server.figures.Figures;
import io.kvstadium.server.figures.Latencies;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** What HTTP counts. Safe for all threads. */
public final class Metrics {
  /** The route of requests that were not found, not allowed or not understood. */
  public static final String OTHER = "other";

  private final Map<String, Route> routes = new TreeMap<>();
  private final LongAdder received = new LongAdder();
  private final LongAdder sent = new LongAdder();

  /** Metrics for the given routes and {@link #OTHER}. */
  Metrics(Collection<String> names) {
    names.forEach(name -> routes.put(name, new Route()));
    routes.put(OTHER, new Route());
  }

  /** The counters of a route. */
  Route route(String name) {
    Route route = routes.get(name);
    if (route == null) {
      throw new IllegalArgumentException("no route " + name);
    }
    return route;
  }

  /** The metrics of one route. */
  static final class Route {
    /** Answers by the first digit of the status. */
    private final AtomicLongArray answers = new AtomicLongArray(6);

    private final Latencies took = new Latencies();

    void answered(int status, long nanos) {
      answers.incrementAndGet(status / 100);
      took.record(nanos);
    }
  }

  /** Counts the bytes of the connections whose pipeline it is in. */
  @Sharable
  final class Traffic extends ChannelDuplexHandler {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof ByteBuf bytes) {
        received.add(bytes.readableBytes());
      }
      context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      if (message instanceof ByteBuf bytes) {
        sent.add(bytes.readableBytes());
      }
      var _ = context.write(message, promise);
    }
  }

  /** Tells all of it, of routes that were asked for. */
  void tell(Figures figures) {
    routes.forEach((name, route) -> {
      for (int i = 1; i < route.answers.length(); i++) {
        if (route.answers.get(i) > 0) {
          figures.counter(
              "stadium_http_requests",
              "Requests answered, by status.",
              route.answers.get(i),
              "route",
              name,
              "status",
              i + "xx");
        }
      }
      if (route.took.count() > 0) {
        figures.histogram(
            "stadium_http_request_seconds",
            "From the arrival of a whole request to the last byte of its answer being handed over.",
            route.took,
            "route",
            name);
      }
    });
    figures.counter("stadium_http_received_bytes", "Bytes received over HTTP.", received.sum());
    figures.counter("stadium_http_sent_bytes", "Bytes sent over HTTP.", sent.sum());
  }
}
