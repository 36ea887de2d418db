package io.kvstadium.store;

/**
 * What an engine does, or has still to do, beside the calls that are made.
 *
 * @param jobs how many compactions, flushes and cleanings run now, or wait for their turn
 * @param pendingBytes about how many bytes are still to be compacted; 0 too where the engine has no
 *     such estimate
 */
public record BackgroundWork(int jobs, long pendingBytes) {
  /** Nothing runs and nothing is due; always, on an engine that does all its work in the calls. */
  public static final BackgroundWork NONE = new BackgroundWork(0, 0);
}
