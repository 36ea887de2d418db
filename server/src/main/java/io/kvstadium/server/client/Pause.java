package io.kvstadium.server.client;

import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A time in which requests wait, or only those that write. Safe for all threads. */
public final class Pause {
  private final BiFunction<Long, Runnable, Future<?>> timer;
  private final List<Runnable> waiting = new ArrayList<>();
  private volatile boolean active;
  private volatile boolean all;
  private long end;
  private @Nullable Future<?> over;

  /**
   * Starts without a pause.
   *
   * @param timer runs a task after a number of milliseconds
   */
  public Pause(BiFunction<Long, Runnable, Future<?>> timer) {
    this.timer = timer;
  }

  public boolean active() {
    return active;
  }

  /** Begins or prolongs the pause; if it holds reads too, it continues to do so. */
  public synchronized void begin(long millis, boolean readsToo) {
    long now = System.nanoTime() / 1_000_000;
    all = readsToo || (active && all);
    end = active ? Math.max(end, now + millis) : now + millis;
    active = true;
    if (over != null) {
      over.cancel(false);
    }
    over = timer.apply(end - now, this::end);
  }

  /** Ends the pause; what waited continues. */
  public void end() {
    List<Runnable> left;
    synchronized (this) {
      active = false;
      left = List.copyOf(waiting);
      waiting.clear();
    }
    left.forEach(Runnable::run);
  }

  /** Runs a task when the pause is over; at once if there is none. */
  public void whenOver(Runnable task) {
    synchronized (this) {
      if (active) {
        waiting.add(task);
        return;
      }
    }
    task.run();
  }

  /** Whether a request must wait. */
  public boolean holds(Client client, Request request) {
    if (!active) {
      return false;
    }
    Command command = request.command();
    if (command == null) {
      return all;
    }
    if (command.is(Flag.UNPAUSES) || !command.fits(request.arguments().length)) {
      return false;
    }
    return all || writes(command) || (command.is(Flag.EXECUTES) && writes(client));
  }

  private static boolean writes(Command command) {
    return command.is(Flag.SEEN) || command.is(Flag.WRITE);
  }

  private static boolean writes(Client client) {
    List<Request> block = client.queue;
    return block != null
        && block.stream().map(Request::command).anyMatch(each -> each != null && writes(each));
  }
}
