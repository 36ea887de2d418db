package io.kvstadium.server.command;

import io.kvstadium.server.database.Databases;
import io.kvstadium.store.Store;
import java.time.InstantSource;

/** When everything was made to survive a power cut last. Safe for all threads. */
public final class SaveState {
  private final Store store;
  private final Databases databases;
  private final InstantSource clock;
  private volatile long saved;
  private volatile long savedChanges;

  SaveState(Store store, Databases databases, InstantSource clock) {
    this.store = store;
    this.databases = databases;
    this.clock = clock;
    this.saved = clock.millis();
  }

  /** Makes everything written before survive a power cut. */
  public void save() {
    long changes = databases.changes();
    store.sync();
    savedChanges = changes;
    saved = clock.millis();
  }

  /** How often keys have changed since {@link #save}, whatever the store's durability. */
  public long unsavedChanges() {
    return databases.changes() - savedChanges;
  }

  /**
   * When {@link #save} was called last, or otherwise when the server started; Unix time in
   * milliseconds.
   */
  public long lastSaved() {
    return saved;
  }
}
