package io.kvstadium.torture;

import io.kvstadium.store.Durability;

/** What a level guarantees under a fault, and therefore what is demanded. */
public enum Guarantee {
  /** Nothing: findings are counted, but none breaks a guarantee. */
  NOTHING,
  /** The store opens and holds a prefix of the history, with whole batches. */
  PREFIX,
  /** The store opens and nothing acknowledged is missing. */
  ALL;

  /** What a level guarantees under a fault. */
  public static Guarantee of(Durability level, Fault fault) {
    return switch (fault) {
      case KILL, SERVER, EIO, FULL ->
          level.compareTo(Durability.PROCESS) >= 0 && level != Durability.ENGINE_DEFAULT
              ? ALL
              : NOTHING;
      case POWER, SECTOR, SLOW ->
          switch (level) {
            case NONE, PROCESS, ENGINE_DEFAULT -> NOTHING;
            case CONSISTENT -> PREFIX;
            case POWER -> ALL;
          };
      case LIE, FLIP -> NOTHING;
    };
  }
}
