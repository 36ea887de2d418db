package io.kvstadium.transfer;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.transfer.CopyOptions.Existing;
import org.jspecify.annotations.Nullable;

/**
 * A store that a copy or an import fills. Unless entries are only added, it is marked as incomplete
 * meanwhile: what was complete stays so, whatever becomes of a merge.
 */
public final class Target {
  private final Store store;
  private final Existing existing;
  private final String task;
  private final @Nullable String before;

  /**
   * @param task what its mark begins with; the first line is for human readers
   * @throws BadArgumentException if something else has begun to fill it
   */
  public Target(Store store, Existing existing, String task) {
    this.store = store;
    this.existing = existing;
    this.task = task;
    this.before = Stores.incomplete(store);
    if (before != null && !before.startsWith(task)) {
      throw new BadArgumentException(
          store.url()
              + " is not complete: "
              + before.lines().findFirst().orElse("what filled it")
              + " has not finished, and what is requested now has another source, or other tables"
              + " or keys: repeat the earlier one, or name another target");
    }
  }

  /** The mark that it had at the beginning, or {@code null}. */
  @Nullable String before() {
    return before;
  }

  /**
   * Refuses a store that holds entries.
   *
   * @throws BadArgumentException if it does
   */
  public void refuseEntries() {
    if (!Stores.isEmpty(store)) {
      throw new BadArgumentException(
          store.url()
              + " holds entries already: name an empty store, or ask for a merge (--merge), or for"
              + " the tables to be replaced (--replace)");
    }
  }

  /** Marks it, unless this is a merge. */
  public void mark(String state) {
    if (existing != Existing.MERGE) {
      Stores.markIncomplete(store, task + state);
    }
  }

  /** Whether it was empty and, after a failure, still is: then nothing has to be completed. */
  public boolean isUntouched(RuntimeException failure) {
    try {
      if (before == null && existing == Existing.REFUSE && Stores.isEmpty(store)) {
        Stores.markComplete(store);
        return true;
      }
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
    return false;
  }

  /** Raises what was written to {@link Durability#POWER}, on engines that can do that. */
  public void sync() {
    if (store.capabilities().contains(Capability.PERSISTENT)
        && store.durability() != Durability.POWER
        && store.engine().durability().values().stream()
            .anyMatch(level -> level.effective() != Durability.NONE)) {
      store.sync();
    }
  }

  /** It is complete, and not marked any more. */
  public void complete() {
    Stores.markComplete(store);
  }
}
