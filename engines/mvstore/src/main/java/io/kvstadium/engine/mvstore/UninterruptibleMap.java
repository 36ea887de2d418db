package io.kvstadium.engine.mvstore;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.RootReference;
import org.h2.mvstore.type.ByteArrayDataType;
import org.jspecify.annotations.Nullable;

/**
 * A map that an interrupt does not stop from waiting for another writer. MVStore's own map then
 * throws, even in the middle of a commit, whereupon the store closes itself; or it swallows the
 * interrupt.
 */
final class UninterruptibleMap extends MVMap<byte[], byte[]> {
  /** The number of attempts after which MVStore sleeps between them. */
  private static final int AWAKE = 12;

  private static final long PAUSE_NANOS = 50_000;

  private UninterruptibleMap(Map<String, Object> config) {
    super(config, ByteArrayDataType.INSTANCE, ByteArrayDataType.INSTANCE);
  }

  @Override
  protected @Nullable RootReference<byte[], byte[]> tryLock(
      RootReference<byte[], byte[]> root, int attempt) {
    if (attempt > AWAKE) {
      LockSupport.parkNanos(PAUSE_NANOS); // does not wait while the thread is interrupted
    }
    return super.tryLock(root, Math.min(attempt, AWAKE));
  }

  /** Makes such maps. */
  static final class Builder extends BasicBuilder<MVMap<byte[], byte[]>, byte[], byte[]> {
    Builder() {
      setKeyType(ByteArrayDataType.INSTANCE);
      setValueType(ByteArrayDataType.INSTANCE);
    }

    @Override
    protected MVMap<byte[], byte[]> create(Map<String, Object> config) {
      return new UninterruptibleMap(config);
    }
  }
}
