package io.kvstadium.engine.sqlite;

import io.kvstadium.store.engine.help.NativeCode;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library, which the driver unpacks into the directory for temporary files.
 */
final class NativeLibrary {
  /** Why it cannot be loaded, or {@code null} if it is loaded. */
  static final @Nullable String PROBLEM = load();

  private NativeLibrary() {}

  private static @Nullable String load() {
    String forbidden = NativeCode.forbidden("org.sqlite.tmpdir");
    if (forbidden != null && System.getProperty("org.sqlite.lib.path") == null) {
      return forbidden; // untried: the driver would log the failure with stack traces
    }
    try {
      SQLiteJDBCLoader.initialize();
      return null;
    } catch (Exception | LinkageError e) { // the driver declares no less
      return "SQLite's native library cannot be loaded: " + e;
    }
  }
}
