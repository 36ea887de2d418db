package io.kvstadium.store.internal.guard;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What is behind a cursor or a snapshot: closed by its user, by the end of what it came from, or,
 * if the user lost it, by the garbage collector with a report that says where it was opened.
 */
public abstract class Handle extends HandleAccess {
  private static final ReferenceQueue<Object> LOST = new ReferenceQueue<>();
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  /** One handle in this many remembers where it was opened, unless configured otherwise. */
  private static final int SAMPLE = 128;

  private static final String LEAKS = System.getProperty("stadium.leaks", "sampled");

  static {
    Thread.ofPlatform().name("kv-stadium-lost-handles").daemon().start(Handle::closeLost);
  }

  private final Set<Handle> siblings;
  private final Set<Handle> children;
  private final @Nullable Object table;
  private final BiConsumer<String, @Nullable Throwable> forgotten;
  private final @Nullable Throwable opened;

  /** Its hash, for sets of handles: an object's own costs a call into the virtual machine. */
  private final int random = ThreadLocalRandom.current().nextInt();

  private boolean engineClosed; // under this object's monitor
  private @Nullable Facade facade;

  /**
   * @param name for messages: {@code "the cursor"}
   * @param shared whether several threads may be inside at once
   * @param siblings the set of live handles that it joins until it is closed
   * @param children the handles that come from it, or a set that stays empty
   * @param table the table that it depends on, if it is one
   * @param forgotten is told its description if it was, and where it was opened if that is known
   */
  public Handle(
      Access parent,
      String name,
      boolean shared,
      Set<Handle> siblings,
      Set<Handle> children,
      @Nullable Object table,
      BiConsumer<String, @Nullable Throwable> forgotten) {
    super(parent, name, shared);
    this.siblings = siblings;
    this.children = children;
    this.table = table;
    this.forgotten = forgotten;
    this.opened = remembers(random) ? new Throwable("opened here") : null;
    siblings.add(this);
  }

  /** In words, such as {@code "cursor on table users of lmdb:data"}. */
  protected abstract String description();

  /** Closes the engine's side; called once, when nobody is inside. */
  protected abstract void closeEngine() throws Exception;

  /**
   * Reports and closes it when {@code facade}, which the user holds, is lost. The set of live
   * handles keeps what watches: a {@link java.lang.ref.Cleaner} would keep a second list, behind a
   * single lock, which slows short scans down.
   */
  public void watch(Object facade) {
    this.facade = new Facade(facade, this);
  }

  public Set<Handle> children() {
    return children;
  }

  @SuppressWarnings("ReferenceEquality") // a table's handle is its identity
  public boolean dependsOn(Object other) {
    return table == other;
  }

  /**
   * Closes it and all that came from it, when nobody is inside; a second call does nothing.
   *
   * @throws BadArgumentException if called from inside a reader while it is in use, where it might
   *     wait for itself
   */
  public void close() {
    if (gate().isInside() && isInUse()) {
      throw new BadArgumentException(
          description()
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
  public synchronized void closeNow() {
    if (shut()) {
      children.forEach(Handle::closeQuietly);
      if (parent().beginClosing()) {
        try {
          endEngine();
        } finally {
          parent().endClosing();
        }
      }
    }
  }

  /** Closes it at the end of what it came from, which lets nobody in any more. */
  public synchronized void closeWithParent() {
    shut();
    try {
      endEngine();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "closing " + description() + " failed", e);
    }
  }

  /** A close that fails is no failed call of a transaction. */
  private Access root() {
    Access root = parent();
    while (root instanceof HandleAccess handle) {
      root = handle.parent();
    }
    return root;
  }

  private void endEngine() {
    if (engineClosed) {
      return;
    }
    engineClosed = true;
    try {
      root().close(this::closeEngine);
    } finally {
      if (facade != null) {
        facade.clear();
      }
      siblings.remove(this);
    }
  }

  /** Closes what its user left open when what it came from ends; a failure is only logged. */
  void closeQuietly() {
    try {
      closeNow();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "closing " + description() + " failed", e);
    }
  }

  /** The same, and reports that it was left open. */
  public void closeForgotten() {
    if (!isClosed()) {
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
    if (!isClosed()) {
      report("was never closed");
      closeQuietly();
    }
  }

  private void report(String what) {
    forgotten.accept(description(), opened);
    if (opened != null) {
      LOG.log(System.Logger.Level.WARNING, "leak: " + description() + " " + what, opened);
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
