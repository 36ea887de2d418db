package io.kvstadium.server.http;

import io.kvstadium.server.execute.Round;
import io.kvstadium.server.execute.Rounds;
import io.kvstadium.server.execute.Work;
import io.kvstadium.store.StadiumException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one request does in a round. If it fails, nothing of what it wrote remains. */
public final class Task implements Work {
  private final Exchange exchange;
  private final Function<RuntimeException, Reply> failures;
  private final @Nullable Consumer<Round> ahead;
  private final Function<Round, Reply> body;
  private @Nullable Reply reply;
  private boolean whole;

  /**
   * A task.
   *
   * @param failures what to answer if it fails
   * @param ahead names the keys that will be read, or {@code null}
   * @param body throws an {@link HttpException} for the request's mistakes
   */
  public Task(
      Exchange exchange,
      Function<RuntimeException, Reply> failures,
      @Nullable Consumer<Round> ahead,
      Function<Round, Reply> body) {
    this.exchange = exchange;
    this.failures = failures;
    this.ahead = ahead;
    this.body = body;
  }

  /** Everything that it reads must be from one moment. */
  public Task ofOneMoment() {
    whole = true;
    return this;
  }

  @Override
  public boolean whole() {
    return whole;
  }

  /**
   * Executes it as work that only reads.
   *
   * @param quick whether it may run on this thread, if nothing waits for a disk
   */
  public void read(Rounds rounds, boolean quick) {
    if (quick && rounds.readsAtOnce(1)) {
      rounds.readNow(this);
    } else {
      rounds.read(this);
    }
  }

  /** Executes it as work that may write. */
  public void write(Rounds rounds, boolean quick) {
    if (quick && rounds.writesAtOnce(1)) {
      rounds.writeNow(this);
    } else {
      rounds.write(this);
    }
  }

  @Override
  public void announce(Round round) {
    if (ahead != null) {
      ahead.accept(round);
    }
  }

  @Override
  public void execute(Round round) {
    if (round.writes()) {
      round.savepoint();
    }
    try {
      reply = body.apply(round);
    } catch (HttpException | StadiumException e) {
      fail(round, e);
    } catch (RuntimeException e) { // a bug in the server, which must not fail other requests
      exchange.report(e);
      fail(round, e);
    } catch (OutOfMemoryError e) { // for what it requested
      IllegalStateException cause = new IllegalStateException("no memory for this request", e);
      exchange.report(cause);
      fail(round, cause);
    }
  }

  private void fail(Round round, RuntimeException cause) {
    if (round.writes()) {
      round.rollback();
    }
    reply = failures.apply(cause);
  }

  @Override
  public void done() {
    if (reply != null) {
      exchange.answer(reply);
    }
  }

  @Override
  public void failed(RuntimeException cause) {
    exchange.report(cause);
    exchange.answer(failures.apply(cause));
  }
}
