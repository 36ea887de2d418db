package io.kvstadium.engine.mvstore;

import io.kvstadium.store.engine.help.Slot;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/**
 * Pins for reads. MVStore frees the space of a chunk when none of its pages has been part of any
 * version since the oldest pinned one, regardless of its retention time, which counts from when the
 * chunk was written. So a thread that walks pages must pin their version. MVStore has one counter
 * per version for that, which all readers would share at every get.
 *
 * <p>Here each pin is kept from one read to the next, by a lane that one thread at a time has,
 * usually the same one. It is renewed only when the store's version has moved on. An old pin is
 * safe for reading but keeps space, so the maker of a version drops the pins that are not in use.
 */
final class Pins {
  private static final int PROBES = 4;

  private final MVStore store;
  private final Lane[] lanes;
  private volatile long sweptFor = -1;

  Pins(MVStore store) {
    this.store = store;
    int processors = Runtime.getRuntime().availableProcessors();
    this.lanes = new Lane[4 * Integer.highestOneBit(2 * processors - 1)];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = new Lane();
    }
  }

  /** Pins the present version and all later ones, until {@link #exit}. */
  Lane enter() {
    int usual = Slot.preferredIndex(lanes.length);
    for (int i = 0; i < PROBES; i++) {
      Lane lane = lanes[(usual + i) & (lanes.length - 1)];
      if (lane.tryTake()) {
        MVStore.TxCounter pin = lane.pin;
        if (pin == null || pin.version != store.getCurrentVersion()) {
          lane.pin = store.registerVersionUsage();
          store.decrementVersionUsageCounter(pin);
        }
        return lane;
      }
    }
    Lane lane = new Lane(); // used only once
    lane.pin = store.registerVersionUsage();
    lane.isLasting = false;
    return lane;
  }

  void exit(Lane lane) {
    if (lane.isLasting) {
      lane.giveBack();
    } else {
      store.decrementVersionUsageCounter(lane.pin);
    }
  }

  /** Drops the pins on older versions; called by writers. */
  void sweep() {
    long version = store.getCurrentVersion();
    if (version != sweptFor) {
      sweptFor = version;
      drop(version);
    }
  }

  /** Drops all pins that are not in use. */
  void dropAll() {
    drop(-1);
  }

  private void drop(long except) {
    for (Lane lane : lanes) {
      MVStore.TxCounter seen = lane.pin;
      if (seen != null && seen.version != except && lane.tryTake()) {
        MVStore.TxCounter pin = lane.pin;
        lane.pin = null;
        lane.giveBack();
        store.deregisterVersionUsage(pin);
      }
    }
  }

  /** One pin. */
  static final class Lane extends Slot {
    private boolean isLasting = true;
    private MVStore.@Nullable TxCounter pin; // set only by its holder; others only peek at it
  }
}
