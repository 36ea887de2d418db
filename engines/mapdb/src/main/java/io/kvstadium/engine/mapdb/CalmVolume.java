package io.kvstadium.engine.mapdb;

import io.kvstadium.store.spi.OwnThread;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.mapdb.DBMaker;
import org.mapdb.DataInput2;
import org.mapdb.volume.MappedFileVol;
import org.mapdb.volume.Volume;
import org.mapdb.volume.VolumeFactory;

/**
 * A mapped file of MapDB's that is opened, enlarged, synced and closed on threads that nobody
 * interrupts: an interrupt would close the file in the middle of a change, and it could never grow
 * again.
 */
final class CalmVolume extends Volume {
  private static final int SLICE_BITS = 20; // MapDB's own

  private final Volume volume;
  private volatile long available;

  private CalmVolume(Volume volume) {
    this.volume = volume;
  }

  /** How MapDB should use a file. */
  static DBMaker.Maker maker(Path file, boolean readOnly) {
    VolumeFactory mapped = new MappedFileVol.MappedFileFactory(false, false);
    boolean exists = mapped.exists(file.toString());
    return DBMaker.volumeDB(
        OwnThread.once(
            "mapdb",
            () ->
                new CalmVolume(
                    mapped.makeVolume(file.toString(), readOnly, 0, SLICE_BITS, 0, false))),
        exists);
  }

  private void calmly(Runnable action) {
    try (OwnThread thread = new OwnThread("mapdb")) {
      thread.run(action::run);
    }
  }

  @Override
  public void ensureAvailable(long offset) {
    if (offset > available) {
      calmly(() -> volume.ensureAvailable(offset));
      available = offset;
    }
  }

  @Override
  public void truncate(long size) {
    available = 0;
    calmly(() -> volume.truncate(size));
  }

  @Override
  public void sync() {
    calmly(volume::sync);
  }

  @Override
  public void close() {
    calmly(volume::close);
  }

  @Override
  public boolean isClosed() {
    return volume.isClosed();
  }

  @Override
  public long length() {
    return volume.length();
  }

  @Override
  public void putLong(long offset, long value) {
    volume.putLong(offset, value);
  }

  @Override
  public void putInt(long offset, int value) {
    volume.putInt(offset, value);
  }

  @Override
  public void putByte(long offset, byte value) {
    volume.putByte(offset, value);
  }

  @Override
  public void putData(long offset, byte[] source, int start, int size) {
    volume.putData(offset, source, start, size);
  }

  @Override
  public void putData(long offset, ByteBuffer source) {
    volume.putData(offset, source);
  }

  @Override
  public long getLong(long offset) {
    return volume.getLong(offset);
  }

  @Override
  public int getInt(long offset) {
    return volume.getInt(offset);
  }

  @Override
  public byte getByte(long offset) {
    return volume.getByte(offset);
  }

  @Override
  public DataInput2 getDataInput(long offset, int size) {
    return volume.getDataInput(offset, size);
  }

  @Override
  public void getData(long offset, byte[] target, int start, int size) {
    volume.getData(offset, target, start, size);
  }

  @Override
  public void clear(long start, long end) {
    volume.clear(start, end);
  }

  @Override
  public int sliceSize() {
    return volume.sliceSize();
  }

  @Override
  public boolean isSliced() {
    return volume.isSliced();
  }

  @Override
  public boolean isReadOnly() {
    return volume.isReadOnly();
  }

  @Override
  public File getFile() {
    return volume.getFile();
  }

  @Override
  public boolean getFileLocked() {
    return volume.getFileLocked();
  }
}
