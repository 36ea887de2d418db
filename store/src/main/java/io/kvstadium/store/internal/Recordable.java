package io.kvstadium.store.internal;

import io.kvstadium.store.Recording;
import org.jspecify.annotations.Nullable;

/** A store whose calls can be recorded. */
public interface Recordable {
  /** See {@link Recording#start}. */
  Recording record(Recording.Options options);

  /** See {@link Recording#of}. */
  @Nullable Recording recording();
}
