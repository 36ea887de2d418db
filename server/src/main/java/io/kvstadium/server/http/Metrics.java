package io.kvstadium.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The server's metrics, in Prometheus' text format. Safe for all threads. */
final class Metrics {
  /** Upper bounds of the buckets of latencies, in microseconds. */
  private static final long[] BOUNDS = {
    100,
    250,
    500,
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    1_000_000,
    10_000_000
  };

  /** The route of requests that were not found, not allowed or not understood. */
  static final String OTHER = "other";

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
    private final List<LongAdder> answers = adders(6);

    private final List<LongAdder> buckets = adders(BOUNDS.length + 1);
    private final LongAdder nanos = new LongAdder();

    private static List<LongAdder> adders(int count) {
      List<LongAdder> made = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        made.add(new LongAdder());
      }
      return List.copyOf(made);
    }

    void answered(int status, long took) {
      answers.get(status / 100).increment();
      nanos.add(took);
      int bucket = 0;
      while (bucket < BOUNDS.length && took > TimeUnit.MICROSECONDS.toNanos(BOUNDS[bucket])) {
        bucket++;
      }
      buckets.get(bucket).increment();
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

  /**
   * All metrics.
   *
   * @param gauges current values, by name
   */
  String text(Map<String, Long> gauges) {
    StringBuilder out = new StringBuilder();
    head(out, "stadium_http_requests_total", "counter", "Requests answered, by status.");
    routes.forEach((name, route) -> {
      for (int i = 1; i < route.answers.size(); i++) {
        long count = route.answers.get(i).sum();
        if (count > 0) {
          line(
              out,
              "stadium_http_requests_total",
              "route=\"" + name + "\",status=\"" + i + "xx\"",
              count);
        }
      }
    });
    head(
        out,
        "stadium_http_request_seconds",
        "histogram",
        "From the arrival of a whole request to the last byte of its answer being handed over.");
    routes.forEach((name, route) -> histogram(out, name, route));
    head(out, "stadium_http_received_bytes_total", "counter", "Bytes received.");
    line(out, "stadium_http_received_bytes_total", null, received.sum());
    head(out, "stadium_http_sent_bytes_total", "counter", "Bytes sent.");
    line(out, "stadium_http_sent_bytes_total", null, sent.sum());
    gauges.forEach((name, value) -> {
      out.append("# TYPE ").append(name).append(" gauge\n");
      line(out, name, null, value);
    });
    return out.toString();
  }

  private static void histogram(StringBuilder out, String name, Route route) {
    String label = "route=\"" + name + "\"";
    long count = 0;
    for (int i = 0; i < route.buckets.size(); i++) {
      count += route.buckets.get(i).sum();
      String bound = i < BOUNDS.length ? String.valueOf(BOUNDS[i] / 1e6) : "+Inf";
      line(out, "stadium_http_request_seconds_bucket", label + ",le=\"" + bound + "\"", count);
    }
    String sum = String.format(Locale.ROOT, "%.6f", route.nanos.sum() / 1e9);
    out.append("stadium_http_request_seconds_sum{").append(label).append("} ").append(sum);
    out.append('\n');
    line(out, "stadium_http_request_seconds_count", label, count);
  }

  private static void head(StringBuilder out, String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void line(StringBuilder out, String name, @Nullable String labels, long value) {
    out.append(name);
    if (labels != null) {
      out.append('{').append(labels).append('}');
    }
    out.append(' ').append(value).append('\n');
  }
}
