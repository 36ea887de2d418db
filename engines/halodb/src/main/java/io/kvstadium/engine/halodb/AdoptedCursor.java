package io.kvstadium.engine.halodb;

import io.kvstadium.engine.halodb.RecordFiles.Stretch;
import io.kvstadium.store.spi.EngineCursor;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the files from their beginnings, skipping all but the newest record of each key.
 */
final class AdoptedCursor implements EngineCursor {
  private final RecordFiles files;
  private final Iterator<Stretch> stretches;
  private @Nullable Stretch stretch;
  private long next;
  private @Nullable RecordFile file;
  private RecordFile.@Nullable Found found;

  AdoptedCursor(RecordFiles files) {
    this.files = files;
    this.stretches = files.stretches().iterator();
  }

  @Override
  public boolean next() {
    while (true) {
      Stretch present = stretch;
      if (present == null || next == present.to()) {
        if (!stretches.hasNext()) {
          return false;
        }
        present = stretches.next();
        stretch = present;
        next = present.from();
      }
      RecordFile in = files.file(present.file());
      RecordFile.Found record = in.at(next);
      if (record == null) {
        throw new IllegalStateException("there was a record at " + next + " of " + in.path());
      }
      long at = next;
      next = record.end();
      if (files.index().isLive(present.file(), at, in.key(record))) {
        file = in;
        found = record;
        return true;
      }
    }
  }

  @Override
  public byte[] key() {
    if (file == null || found == null) {
      throw new IllegalStateException("the cursor is not on an entry");
    }
    return file.key(found).toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public byte[] value() {
    if (file == null || found == null) {
      throw new IllegalStateException("the cursor is not on an entry");
    }
    return file.value(found);
  }

  @Override
  public void close() {
    // there is nothing to give back
  }
}
