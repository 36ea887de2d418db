package io.kvstadium.server.figures;

import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.execute.HotEntries;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreStatus;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The figures of a store and of its engine. */
public record StoreFigures(Executor executor) implements Consumer<Figures> {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

  @Override
  public void accept(Figures figures) {
    figures.gauge("stadium_waiting_work", "Requests that wait for a thread.", executor.waiting());
    HotEntries hot = executor.hot();
    if (hot != null) {
      figures.counter("stadium_hot_hits", "Reads of entries kept beside the engine.", hot.hits());
      figures.counter("stadium_hot_misses", "Reads in the engine.", hot.misses());
      figures.gauge("stadium_hot_bytes", "Entries kept beside the engine.", hot.bytes());
    }
    long free = executor.reserve().usable();
    if (free >= 0) {
      figures.gauge("stadium_disk_free_bytes", "Free space on the store's disk.", free);
    }
    Store store = executor.store();
    try {
      figures.gauge("stadium_store_bytes", "What the store takes on disk.", store.sizeOnDisk());
      figures.gauge(
          "stadium_store_handles", "Open snapshots and cursors.", store.status().openHandles());
      store
          .stats()
          .forEach((name, value) -> {
            if (NUMBER.matcher(value).matches()) {
              figures.gauge(
                  "stadium_engine",
                  "What the engine reports about itself.",
                  Double.parseDouble(value),
                  "name",
                  name);
            }
          });
    } catch (StadiumException e) {
      // a store that has failed reports no more figures, which is one too
    }
    figures.gauge(
        "stadium_store_open",
        "Whether the store can be used: 1, or 0 once it has failed or is closed.",
        store.status().state() == StoreStatus.State.OPEN ? 1 : 0);
  }
}
