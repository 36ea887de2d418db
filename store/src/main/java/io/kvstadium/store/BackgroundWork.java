package io.kvstadium.store;

/**
 * Work that an engine does, or still has to do, apart from the calls made to it.
 *
 * @param jobs the number of compactions, flushes and cleanups that are running or queued
 * @param pendingBytes roughly how many bytes are waiting for compaction; also 0 if the engine has
 *     no such estimate
 */
public record BackgroundWork(int jobs, long pendingBytes) {
  /**
   * Nothing is running or due; always the case for an engine that does all its work in the calls.
   */
  public static final BackgroundWork NONE = new BackgroundWork(0, 0);
}
