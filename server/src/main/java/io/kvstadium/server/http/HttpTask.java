package io.kvstadium.server.http;

import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.execute.Task;
import io.kvstadium.store.StadiumException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one request does in a commit group. If it fails, nothing of what it wrote remains. */
public final class HttpTask implements Task {
  private final Exchange exchange;
  private final Function<RuntimeException, Reply> failures;
  private final @Nullable Consumer<CommitGroup> ahead;
  private final Function<CommitGroup, Reply> body;
  private @Nullable Reply reply;
  private boolean needsSnapshot;

  /**
   * A task.
   *
   * @param failures what to answer if it fails
   * @param ahead names the keys that will be read, or {@code null}
   * @param body throws an {@link HttpException} for the request's mistakes
   */
  public HttpTask(
      Exchange exchange,
      Function<RuntimeException, Reply> failures,
      @Nullable Consumer<CommitGroup> ahead,
      Function<CommitGroup, Reply> body) {
    this.exchange = exchange;
    this.failures = failures;
    this.ahead = ahead;
    this.body = body;
  }

  /** Everything that it reads must be from one moment. */
  public HttpTask ofOneMoment() {
    needsSnapshot = true;
    return this;
  }

  @Override
  public boolean needsSnapshot() {
    return needsSnapshot;
  }

  /**
   * Executes it as work that only reads.
   *
   * @param quick whether it may run on this thread, if nothing waits for a disk
   */
  public void read(Executor executor, boolean quick) {
    if (quick && executor.readsAtOnce(1)) {
      executor.readNow(this);
    } else {
      executor.read(this);
    }
  }

  /** Executes it as work that may write. */
  public void write(Executor executor, boolean quick) {
    if (quick && executor.writesAtOnce(1)) {
      executor.writeNow(this);
    } else {
      executor.write(this);
    }
  }

  @Override
  public void prefetch(CommitGroup commitGroup) {
    if (ahead != null) {
      ahead.accept(commitGroup);
    }
  }

  @Override
  public void execute(CommitGroup commitGroup) {
    if (commitGroup.writes()) {
      commitGroup.savepoint();
    }
    try {
      reply = body.apply(commitGroup);
    } catch (HttpException | StadiumException e) {
      fail(commitGroup, e);
    } catch (RuntimeException e) { // a bug in the server, which must not fail other requests
      exchange.report(e);
      fail(commitGroup, e);
    } catch (OutOfMemoryError e) { // for what it requested
      IllegalStateException cause = new IllegalStateException("no memory for this request", e);
      exchange.report(cause);
      fail(commitGroup, cause);
    }
  }

  private void fail(CommitGroup commitGroup, RuntimeException cause) {
    if (commitGroup.writes()) {
      commitGroup.rollback();
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
