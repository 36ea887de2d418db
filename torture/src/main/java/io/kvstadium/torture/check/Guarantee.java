package io.kvstadium.torture.check;

/** What a level guarantees under a fault, and therefore what is demanded. */
public enum Guarantee {
  /** Nothing: findings are counted, but none breaks a guarantee. */
  NOTHING,
  /** The store opens and holds a prefix of the history, with whole batches. */
  PREFIX,
  /** The store opens and nothing acknowledged is missing. */
  ALL
}
