package io.kvstadium.server.redis;

import io.kvstadium.server.log.Log;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all clients' requests and replies may take together. When it is used up, the
 * client that holds most is cut off: so only clients that do not read their replies are ended. The
 * server does not stop reading from a client that does not read: it may send all its requests
 * before it reads the first reply. Safe for all threads.
 */
public final class Budget {
  /** A client whose memory counts. */
  interface Holder {
    /** Roughly how many bytes it holds. */
    long held();

    /** Who it is, for the log. */
    String address();

    /** Ends it, soon. */
    void cutOff();
  }

  private volatile long most;
  private final Log log;
  private final AtomicLong used = new AtomicLong();
  private final Set<Holder> holders = ConcurrentHashMap.newKeySet();

  /**
   * A budget of the given number of bytes.
   *
   * @param log receives the clients that are cut off
   */
  public Budget(long most, Log log) {
    this.most = most;
    this.log = log;
  }

  void most(long bytes) {
    most = bytes;
  }

  void join(Holder holder) {
    holders.add(holder);
  }

  void leave(Holder holder) {
    holders.remove(holder);
  }

  /** A holder has this many bytes more, or fewer. */
  void changed(long bytes) {
    if (used.addAndGet(bytes) > most && bytes > 0) {
      holders.stream()
          .max(Comparator.comparingLong(Holder::held))
          .ifPresent(largest -> {
            log.event(
                "cut-off",
                "cut off client %s, which held %d MB of requests and replies: clients may hold %d MB together"
                    .formatted(largest.address(), largest.held() >> 20, most >> 20),
                "address",
                largest.address(),
                "held",
                largest.held(),
                "limit",
                most);
            holders.remove(largest);
            largest.cutOff();
          });
    }
  }

  long most() {
    return most;
  }

  long used() {
    return used.get();
  }
}
