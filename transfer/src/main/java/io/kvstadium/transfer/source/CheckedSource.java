package io.kvstadium.transfer.source;

import io.kvstadium.transfer.format.BadEntry;
import java.io.InputStream;

/**
 * A source whose passes do not end with a {@link BadEntry}.
 *
 * @param skip whether bad entries are left out
 */
record CheckedSource(EntrySource all, boolean skip) implements EntrySource {
  @Override
  public String name() {
    return all.name();
  }

  @Override
  public String format() {
    return all.format();
  }

  @Override
  public boolean isRepeatable() {
    return all.isRepeatable();
  }

  @Override
  public boolean hasUniqueKeys() {
    return all.hasUniqueKeys();
  }

  @Override
  public SourceReader read() {
    return new CheckedReader(all.read(), name(), skip);
  }

  @Override
  public InputStream content() {
    return all.content();
  }
}
