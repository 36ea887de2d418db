package io.kvstadium.store.internal;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is behind a cursor or a snapshot: closed by its user, by the end of what it came from, or,
 * if the user lost it, by the garbage collector with a report that says where it was opened.
 */
final class Handle {
  private static final ReferenceQueue<Object> LOST = new ReferenceQueue<>();
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  /** One handle in this many remembers where it was opened, unless configured otherwise. */
  private static final int SAMPLE = 128;

  private static final String LEAKS = System.getProperty("stadium.leaks", "sampled");

  static {
    Thread.ofPlatform().name("kv-stadium-lost-handles").daemon().start(Handle::closeLost);
  }

  private final Supplier<String> description;
  private final Gate gate;
  private final HandleAccess access;
  private final Runnable engineClose;
  private final Set<Handle> siblings;
  private final Set<Handle> children;
  private final @Nullable Object table;
  private final @Nullable StoreListener listener;
  private final @Nullable Throwable opened;

  /** Its hash, for sets of handles: an object's own costs a call into the virtual machine. */
  private final int random = ThreadLocalRandom.current().nextInt();

  /** Whether a block of the library closes it in any case: then nobody forgot it. */
  private volatile boolean ofBlock;

  private @Nullable Facade facade;

  /**
   * @param description such as {@code "cursor on table users of lmdb:data"}
   * @param children the handles that come from it, or a set that stays empty
   * @param gate the store's gate
   * @param engineClose closes the engine's side; called once, when nobody is inside
   * @param siblings the set of live handles that it joins until it is closed
   * @param table the table that it depends on, if it is one
   * @param listener is notified if it was forgotten
   */
  Handle(
      Supplier<String> description,
      Gate gate,
      HandleAccess access,
      Runnable engineClose,
      Set<Handle> siblings,
      Set<Handle> children,
      @Nullable Object table,
      @Nullable StoreListener listener) {
    this.description = description;
    this.gate = gate;
    this.access = access;
    this.engineClose = engineClose;
    this.siblings = siblings;
    this.children = children;
    this.table = table;
    this.listener = listener;
    this.opened = remembers(random) ? new Throwable("opened here") : null;
    siblings.add(this);
  }

  /**
   * Reports and closes it when {@code facade}, which the user holds, is lost. The set of live
   * handles keeps what watches: a {@link java.lang.ref.Cleaner} would keep a second list, behind a
   * single lock, which slows short scans down.
   */
  void watch(Object facade) {
    this.facade = new Facade(facade, this);
  }

  /** Notes that a block of the library closes it in any case. */
  void belongToBlock() {
    ofBlock = true;
  }

  HandleAccess access() {
    return access;
  }

  Set<Handle> children() {
    return children;
  }

  @SuppressWarnings("ReferenceEquality") // a table's handle is its identity
  boolean dependsOn(Object other) {
    return table == other;
  }

  /**
   * Closes it and all that came from it, when nobody is inside; a second call does nothing.
   *
   * @throws BadArgumentException if called from inside a reader while it is in use, where it might
   *     wait for itself
   */
  void close() {
    if (gate.isInside() && access.isInUse()) {
      throw new BadArgumentException(
          description.get()
              + " is in use: close() inside a value reader is refused then; do it after the reader"
              + " has returned");
    }
    closeNow();
  }

  /**
   * The same without that check. It leaves the set of live handles last and under its monitor, so
   * that the store, which closes what it finds in the set before the engine, waits for a close that
   * is under way in another thread.
   */
  synchronized void closeNow() {
    if (access.close()) {
      try {
        children.forEach(Handle::closeQuietly);
        access.parent().whenFree(engineClose);
      } finally {
        if (facade != null) {
          facade.clear();
        }
        siblings.remove(this);
      }
    }
  }

  /** Closes what its user left open when what it came from ends; a failure is only logged. */
  void closeQuietly() {
    try {
      closeNow();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "closing " + description.get() + " failed", e);
    }
  }

  /** The same, and reports that it was left open. */
  void closeForgotten() {
    if (!ofBlock && !access.isClosed()) {
      report("was still open when its store was closed");
    }
    closeQuietly();
  }

  private static void closeLost() {
    while (true) {
      try {
        if (LOST.remove() instanceof Facade lost) {
          lost.handle.lost();
        }
      } catch (InterruptedException e) {
        LOG.log(System.Logger.Level.DEBUG, "nobody but this class knows the thread", e);
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "a listener failed when told of a leak", e);
      }
    }
  }

  private void lost() {
    if (!access.isClosed()) {
      report("was never closed");
      closeQuietly();
    }
  }

  private void report(String what) {
    StoreListener present = listener;
    if (present != null) {
      Listened.tell(() -> present.leak(description.get(), opened));
    }
    if (opened != null) {
      LOG.log(System.Logger.Level.WARNING, "leak: " + description.get() + " " + what, opened);
    }
  }

  @Override
  public int hashCode() {
    return random;
  }

  private static boolean remembers(int random) {
    return switch (LEAKS) {
      case "always" -> true;
      case "off" -> false;
      default -> random % SAMPLE == 0;
    };
  }

  /** What the user holds, seen from here. */
  private static final class Facade extends PhantomReference<Object> {
    private final Handle handle;

    Facade(Object facade, Handle handle) {
      super(facade, LOST);
      this.handle = handle;
    }
  }
}
