package io.kvstadium.store.contract;

import java.util.HashSet;
import java.util.Set;

/** From the open of an engine's handle to its close: who is inside, and what came from it. */
final class Lifetime {
  private final String name;
  private final Contract contract;
  private final Set<Lifetime> open = new HashSet<>();
  private int inside;
  private boolean closed;

  Lifetime(String name, Contract contract) {
    this.name = name;
    this.contract = contract;
  }

  synchronized void enter(String call) {
    contract.demand(!closed, "%s of %s was called after its close began", call, name);
    inside++;
  }

  synchronized void leave() {
    inside--;
  }

  /** What must be closed before this is. */
  synchronized void add(Lifetime handle) {
    contract.demand(!closed, "%s was opened on %s after its close", handle.name, name);
    open.add(handle);
  }

  synchronized void remove(Lifetime handle) {
    open.remove(handle);
  }

  synchronized void close() {
    contract.demand(!closed, "%s was closed twice", name);
    contract.demand(inside == 0, "%s was closed during %d calls", name, inside);
    contract.demand(open.isEmpty(), "%s was closed before %s", name, open);
    closed = true;
  }

  synchronized boolean isBusy() {
    return inside > 1;
  }

  @Override
  public String toString() {
    return name;
  }
}
