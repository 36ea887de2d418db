package io.kvstadium.store;

/** What a {@link ReadView} promises about reads that follow each other. */
public enum ReadGuarantee {
  /** All reads are of one moment: when the view began. */
  SNAPSHOT,
  /** Each call reads the latest state on its own; others may write between two of them. */
  LATEST
}
