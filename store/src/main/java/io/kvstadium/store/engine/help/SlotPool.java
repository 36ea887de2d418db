package io.kvstadium.store.engine.help;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * As many equal things as were ever held at once: each thread first looks where it is unlikely to
 * meet another, so taking one costs one uncontended atomic operation.
 *
 * @param <S> made without work; its first holder begins it
 */
public final class SlotPool<S extends Slot> {
  private static final long PAUSE_NANOS = 20_000;

  private final int max;
  private final Supplier<S> maker;
  private volatile List<S> slots; // replaced by longer ones with the same beginning
  private boolean closed; // under this object's monitor

  /**
   * @param max how many there may be at once
   */
  public SlotPool(int max, Supplier<S> maker) {
    this.max = max;
    this.maker = maker;
    int stripes = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 8 - 1);
    this.slots = Stream.generate(maker).limit(Math.clamp(stripes, 1, max)).toList();
  }

  /** Takes one that must be given back; {@code null} if all are held, or this is closed. */
  public @Nullable S take() {
    while (true) {
      List<S> present = slots;
      int start = Slot.preferredIndex(present.size());
      S first = present.get(start);
      if (first.tryTake()) {
        return first;
      }
      for (int i = 1; i < present.size(); i++) {
        S other = present.get((start + i) % present.size());
        if (other.tryTake()) {
          return other;
        }
      }
      if (!enlarge(present)) {
        return null;
      }
    }
  }

  private synchronized boolean enlarge(List<S> present) {
    if (slots.size() == present.size()) {
      int more = Math.min(present.size(), max - present.size());
      if (closed || more == 0) {
        return false;
      }
      slots = Stream.concat(present.stream(), Stream.generate(maker).limit(more)).toList();
    }
    return true;
  }

  /** All that there are, held or not. */
  public List<S> all() {
    return slots;
  }

  /** Ends each, once its holder has given it back; none can be taken any more. */
  public synchronized void close(Consumer<S> end) {
    closed = true;
    for (S slot : slots) {
      while (!slot.tryTake()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      end.accept(slot);
    }
  }
}
