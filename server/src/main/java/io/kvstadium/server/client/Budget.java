package io.kvstadium.server.client;

import io.kvstadium.server.log.Log;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all clients' requests and replies may take together. When it is used up, requests
 * and replies of more than a few kilobytes get an error; a client that only keeps memory, such as
 * one that does not read its replies, is cut off. The server does not stop reading from a client
 * that does not read: it may send all its requests before it reads the first reply. Safe for all
 * threads.
 */
public final class Budget {
  /** A client whose memory counts. */
  public interface Holder {
    /** Roughly how many bytes it holds. */
    long bytes();

    /** How many of them it keeps, and will for a while: nothing that is about to be finished. */
    long kept();

    /** How many of them are kept, or not read by the client yet. */
    long unread();

    /** Who it is, for the log. */
    String address();

    /** Ends it, soon. */
    void cutOff();
  }

  private volatile long max;
  private final Log log;
  private final AtomicLong used = new AtomicLong();
  private final Set<Holder> holders = ConcurrentHashMap.newKeySet();

  /** Those that were cut off, whose memory is about to come back. */
  private final Set<Holder> ending = ConcurrentHashMap.newKeySet();

  /**
   * A budget of the given number of bytes.
   *
   * @param log receives the clients that are cut off
   */
  public Budget(long max, Log log) {
    this.max = max;
    this.log = log;
  }

  public void max(long bytes) {
    max = bytes;
  }

  public void join(Holder holder) {
    holders.add(holder);
  }

  public void leave(Holder holder) {
    holders.remove(holder);
    ending.remove(holder);
  }

  /**
   * A holder has this many bytes more, or fewer. Nothing small is refused; but at one and a half
   * times the memory, those who have not read most are ended at once, as many as it takes.
   */
  public void changed(long bytes) {
    long now = used.addAndGet(bytes);
    if (bytes > 0 && now > max && !relieve(Holder::kept, now - max) && now > max + max / 2) {
      long missing = now - max - ending.stream().mapToLong(Holder::bytes).sum();
      while (missing > 0) {
        Holder largest = largest(Holder::unread);
        if (largest == null || largest.unread() == 0) {
          return;
        }
        missing -= largest.bytes();
        cutOff(largest);
      }
    }
  }

  /** Gives a holder this many bytes more, unless that would be too many. */
  public boolean reserve(long bytes) {
    long now = used.addAndGet(bytes);
    if (now <= max) {
      return true;
    }
    used.addAndGet(-bytes);
    relieve(Holder::kept, now - max);
    return false;
  }

  /** Cuts off the client that has most of something, if that makes enough room. */
  private boolean relieve(ToLongFunction<Holder> of, long missing) {
    Holder largest = largest(of);
    return largest != null && of.applyAsLong(largest) >= missing && cutOff(largest);
  }

  private @Nullable Holder largest(ToLongFunction<Holder> of) {
    return holders.stream().max(Comparator.comparingLong(of)).orElse(null);
  }

  private boolean cutOff(Holder holder) {
    ending.add(holder); // first: it may leave meanwhile
    if (!holders.remove(holder)) {
      ending.remove(holder);
      return false;
    }
    log.event(
        "cut-off",
        "cut off client %s, which held %d MB of requests and replies: clients may hold %d MB together"
            .formatted(holder.address(), holder.bytes() >> 20, max >> 20),
        "address",
        holder.address(),
        "held",
        holder.bytes(),
        "limit",
        max);
    holder.cutOff();
    return true;
  }

  public long max() {
    return max;
  }

  public long used() {
    return used.get();
  }
}
