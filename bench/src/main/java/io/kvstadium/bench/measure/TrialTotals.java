package io.kvstadium.bench.measure;

/** What a trial adds up over its phases. Safe for all threads. */
public final class TrialTotals {
  private long anonymous = -1;
  private long file = -1;
  private long moved;

  /** Looks at the process's memory now. */
  public void look() {
    look("self");
  }

  /** Looks at the memory of a process now: of its number, or {@code self}. */
  public synchronized void look(String process) {
    anonymous = Math.max(anonymous, Usage.memory(process, "RssAnon"));
    file = Math.max(file, Usage.memory(process, "RssFile"));
  }

  /** Adds the bytes of keys and values that were written to the store. */
  public synchronized void wrote(long bytes) {
    moved += bytes;
  }

  /** The most anonymous memory that was seen, in bytes, or -1. */
  public synchronized long anonymous() {
    return anonymous;
  }

  /** The most file-backed memory that was seen, in bytes, or -1. */
  public synchronized long file() {
    return file;
  }

  /** Bytes of keys and values that were written in all. */
  public synchronized long moved() {
    return moved;
  }
}
