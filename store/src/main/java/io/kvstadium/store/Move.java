package io.kvstadium.store;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A move of a store to another engine, or to other settings, while the application uses it; begun
 * by {@link OpenOptions#moveTo} or {@code move_to} in the URL. The store's entries are copied, and
 * what is written meanwhile follows. {@link #over} makes the new store the one that the application
 * uses; from then on the old one follows, so that {@link #back} is possible, until {@link #finish}.
 *
 * <p>The application's tables, transactions, cursors and snapshots stay valid throughout. What
 * either of the two engines cannot do or hold is refused from the beginning. The move is written
 * down in the directories of both stores: the next open of either goes on with it.
 *
 * <p>What the store says of itself ({@link Store#url}, {@link Store#engine}, {@link
 * Store#sizeOnDisk}) stays that of the store that had the data at the open.
 *
 * <p>Thread-safe. The calls that change something wait for a portion that is under way, some
 * seconds at most, and are refused inside a block of the store.
 */
public interface Move {
  /** How long writers wait for a change-over unless it is said: 50 ms. */
  Duration MAX_WAIT = Duration.ofMillis(50);

  /** How far a move is. */
  enum State {
    /** Whether the new store can hold each entry is looked at; nothing was copied yet. */
    CHECKING,
    /** The entries are being copied; what is written meanwhile follows. */
    COPYING,
    /** All is copied, and what was written since is being applied. */
    FOLLOWING,
    /** The new store has all that was written until a second ago. */
    IN_STEP,
    /** The application uses the new store, and the old one follows. */
    OVER,
    /** The application uses the new store, and the old one is as it was at the end. */
    FINISHED,
    /** The application uses the old store, and there is no move any more. */
    CANCELLED;

    /** The word used by commands and files: {@code in-step} … */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * What is known of it at a moment.
   *
   * @param from the URL of the old store
   * @param to the URL of the new store
   * @param entries how many entries were copied by this process
   * @param bytes how many bytes of keys and values these have
   * @param pending how many batches, transactions or single writes were not applied yet
   * @param secondsBehind how long ago all that was written had been applied
   * @param waitSeconds how long writers waited in the last change-over
   * @param problem why it does not go on by itself, and what to do; {@code null} if it does
   * @param shadow what the reads of both stores gave; {@code null} if none are compared
   */
  record Status(
      String from,
      String to,
      State state,
      long entries,
      long bytes,
      long pending,
      double secondsBehind,
      double waitSeconds,
      @Nullable String problem,
      @Nullable Shadow shadow) {}

  /**
   * Reads that were made on both stores.
   *
   * @param share the share of the application's reads by key, from 0 to 1
   * @param reads how many were compared
   * @param dropped how many were not, because too many waited for it
   * @param differences how many entries were different, and not because they were written just then
   * @param keys the first of these: table and key
   * @param used how long they took on the store that the application uses
   * @param other how long they took on the other store
   */
  record Shadow(
      double share,
      long reads,
      long dropped,
      long differences,
      List<String> keys,
      Latency used,
      Latency other) {}

  /** The median and the 99th percentile of the newest reads, in microseconds. */
  record Latency(double p50, double p99) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "p50 %.1f us, p99 %.1f us", p50, p99);
    }
  }

  /** How far it is. */
  Status status();

  /**
   * Makes the new store the one that the application uses. Writers wait while what was written last
   * is applied; transactions that are open end first.
   *
   * @param maxWait how long writers may wait; if that is not enough, nothing has changed
   * @param verify whether all entries of both stores are compared first, while others write
   * @throws StadiumException if it was not possible, with the reason; the move goes on as before
   */
  Status over(Duration maxWait, boolean verify);

  /** {@link #over} with {@link #MAX_WAIT}, without a comparison of all entries. */
  default Status over() {
    return over(MAX_WAIT, false);
  }

  /** The same in the other direction: the application uses the old store again. */
  Status back(Duration maxWait, boolean verify);

  /** {@link #back} with {@link #MAX_WAIT}, without a comparison of all entries. */
  default Status back() {
    return back(MAX_WAIT, false);
  }

  /**
   * Compares this share of the reads by key with the other store, outside of the caller's way.
   *
   * @param share from 0, none, to 1, all
   */
  Status shadow(double share);

  /**
   * Ends the move after the change-over. The old store is not written any more; its directory says
   * where its data went.
   *
   * @throws BadArgumentException if the application uses the old store
   */
  Status finish();

  /**
   * Gives the move up: the application goes on with the old store. What was written to the new one
   * stays there and cannot be opened; remove it, or move there again.
   *
   * @throws BadArgumentException if the application uses the new store
   */
  Status cancel();
}
