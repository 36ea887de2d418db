package io.kvstadium.engine.rocksjava;

import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.Status;

/**
 * Keeps RocksDB from resuming on its own after a background error, such as a full disk.
 *
 * <p>It would flush one table after the other to get rid of a log that ends in the middle of a
 * write. A process that dies in between leaves a store that does not open: tables are ahead of the
 * log ("Column family inconsistency"), or the list of files names one that was removed. The library
 * refuses writes until the next open anyway, which recovers from the log in one step.
 *
 * <p>RocksDB's own threads find the class of its argument only through the system class loader. If
 * another one loaded RocksDB, {@link Watch} ends their work instead. Java threads, whose calls
 * write the log, always find it.
 */
final class StaysStopped extends AbstractEventListener {
  /** For every database of the process; made once RocksDB's library is loaded, never closed. */
  static final StaysStopped INSTANCE = new StaysStopped();

  private StaysStopped() {
    super(EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN);
  }

  @Override
  public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status error) {
    return false;
  }
}
