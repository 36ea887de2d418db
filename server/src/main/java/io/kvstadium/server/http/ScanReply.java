package io.kvstadium.server.http;

import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Task;
import io.kvstadium.store.StadiumException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a scan. A reading thread reads one portion at a time; the next one only when the
 * client has taken enough of what is written.
 *
 * <p>What fits into one portion has a Content-Length. More is sent in chunks, except to clients
 * that want none, in a format with known lengths: those get the length from a first pass over the
 * same snapshot, which costs time but no memory. On an engine without snapshots the reply is
 * collected, up to a limit. Belongs to the event loop.
 */
final class ScanReply {
  private final Http http;
  private final Exchange exchange;
  private final Scan scan;
  private final Function<RuntimeException, Reply> failures;
  private final boolean sized;
  private final ByteBuf first = Unpooled.buffer(1 << 10);
  private boolean begun;
  private boolean reading;
  private boolean over;

  ScanReply(Http http, Exchange exchange, Scan scan, Function<RuntimeException, Reply> failures) {
    this.http = http;
    this.exchange = exchange;
    this.scan = scan;
    this.failures = failures;
    Request request = exchange.request();
    this.sized = scan.format().length(0, 0) >= 0 && !(request.persistent() && request.chunks());
  }

  /** Begins, unless too many scans are open. */
  void start() {
    if (http.scans().tryAcquire()) {
      step();
    } else {
      over = true;
      exchange.send(
          failures.apply(
              new HttpException(
                  HttpResponseStatus.SERVICE_UNAVAILABLE,
                  "too many scans are being answered at once: try again")));
    }
  }

  /** The client has taken something, or is gone. */
  void resume() {
    if (over || reading) {
      return;
    }
    if (!exchange.context().channel().isActive()) {
      cancel();
    } else if (begun && exchange.context().channel().isWritable()) {
      step();
    }
  }

  /** Whether it waits for the client. */
  boolean waits() {
    return !reading;
  }

  private void step() {
    reading = true;
    boolean counting = sized && !begun && first.isReadable() && scan.isSnapshot();
    http.executor().read(new Portion(counting));
  }

  /** Continues reading, on a reading thread. */
  private final class Portion implements Task {
    private final boolean counting;
    private final ByteBuf out;
    private @Nullable RuntimeException failure;

    Portion(boolean counting) {
      this.counting = counting;
      this.out = begun ? Unpooled.buffer(80 << 10) : first;
    }

    @Override
    public void execute(
        CommitGroup commitGroup) { // the scan has its own view, for more than one commit group
      try {
        if (counting) {
          scan.count();
        } else {
          scan.write(out);
        }
      } catch (HttpException | StadiumException e) {
        fail(e);
      } catch (RuntimeException e) { // a bug in the server, which must not fail other requests
        exchange.report(e);
        fail(e);
      } catch (OutOfMemoryError e) { // for what it requested
        IllegalStateException cause = new IllegalStateException("no memory for this scan", e);
        exchange.report(cause);
        fail(cause);
      }
    }

    private void fail(RuntimeException cause) {
      failure = cause;
      close();
    }

    @Override
    public void done() {
      exchange.onLoop(() -> read(out, failure));
    }

    @Override
    public void failed(RuntimeException cause) {
      close();
      exchange.report(cause);
      exchange.onLoop(() -> read(out, cause));
    }
  }

  private void read(ByteBuf out, @Nullable RuntimeException failure) {
    reading = false;
    if (failure != null) {
      end();
      if (begun) {
        exchange.report(failure);
        exchange.abort();
      } else {
        exchange.send(failures.apply(failure));
      }
    } else if (!exchange.context().channel().isActive()) {
      cancel();
    } else if (begun) {
      part(out);
    } else {
      collected();
    }
  }

  private void collected() {
    String type = scan.format().type();
    if (scan.ended()) {
      end();
      exchange.send(new Reply(HttpResponseStatus.OK, type, first, Map.of()));
    } else if (!sized) {
      begin(type, -1);
    } else if (scan.isSnapshot()) {
      if (scan.remaining() < 0) {
        step();
      } else {
        begin(type, first.readableBytes() + scan.remaining());
      }
    } else if (first.readableBytes() > http.limits().reply()) {
      cancel();
      exchange.send(
          failures.apply(
              new HttpException(
                  HttpResponseStatus.UNPROCESSABLE_ENTITY,
                  "the reply is too large to be collected: ask for a smaller range, or without"
                      + " Connection: close")));
    } else {
      step();
    }
  }

  private void begin(String type, long length) {
    begun = true;
    exchange.begin(HttpResponseStatus.OK, type, Map.of(), length);
    if (exchange.request().is(HttpMethod.HEAD)) {
      cancel();
      exchange.end(HttpResponseStatus.OK, true);
    } else {
      part(first);
    }
  }

  private void part(ByteBuf out) {
    boolean last = scan.ended();
    var _ = exchange.part(out);
    if (last) {
      end();
      exchange.end(HttpResponseStatus.OK, true);
    } else {
      resume();
    }
  }

  /** Releases what the scan holds, on a reading thread. */
  private void cancel() {
    end();
    http.executor()
        .read(
            new Task() {
              @Override
              public void execute(CommitGroup commitGroup) {
                close();
              }

              @Override
              public void done() {}

              @Override
              public void failed(RuntimeException cause) {
                close();
              }
            });
  }

  private void close() {
    try {
      scan.close();
    } catch (RuntimeException e) { // nobody waits for it
      exchange.report(e);
    }
  }

  private void end() {
    over = true;
    http.scans().release();
  }
}
