package io.kvstadium.server;

import io.kvstadium.store.engine.help.NativeFunctions;
import org.jspecify.annotations.Nullable;

/** The function of glibc that returns freed memory to the system. */
@FunctionalInterface
public interface MallocTrim {
  /**
   * Returns freed memory to the system.
   *
   * @param pad bytes that stay
   * @return 1 if some was returned
   */
  int trim(long pad);

  /** The function, or {@code null} on a system without it, or where native code is not allowed. */
  static @Nullable MallocTrim find() {
    String library = "libc.so.6";
    if (!NativeFunctions.class.getModule().isNativeAccessEnabled()
        || !NativeFunctions.isInstalled(library)) {
      return null;
    }
    try {
      return new NativeFunctions(library).function("malloc_trim", MallocTrim.class);
    } catch (RuntimeException e) {
      return null; // another libc
    }
  }
}
