package io.kvstadium.engine.lmdb;

import io.kvstadium.store.StadiumException;
import io.kvstadium.store.engine.help.NativeCode;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Meta;

/** Loads LMDB, which the binding unpacks into the directory for temporary files. */
final class NativeLibrary {
  private NativeLibrary() {}

  /** Loads when it is initialized, once. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // the cause of every later failure to open
  private static final class Loading {
    static final @Nullable StadiumException FAILURE = failure();
  }

  /** Why it cannot be loaded, or null if it is; loads it on the first call. */
  static @Nullable StadiumException loadingFailure() {
    return Loading.FAILURE;
  }

  private static @Nullable StadiumException failure() {
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    thread.setContextClassLoader(Meta.class.getClassLoader()); // the binding looks nowhere else
    try {
      Meta.version();
      return null;
    } catch (LinkageError | RuntimeException e) {
      // the binding and the library below it unpack, each where its own property says
      String forbidden = NativeCode.forbidden("lmdbjava.extract.dir", "jffi.extract.dir");
      return new StadiumException(
          "engine lmdb: "
              + (forbidden != null
                  ? forbidden
                  : """
                  its native library cannot be loaded (%s): there is one for Linux and macOS on \
                  x86-64 and ARM64 and for Windows on x86-64; elsewhere install LMDB and set \
                  -Dlmdbjava.native.lib=lmdb. Java must run with \
                  --enable-native-access=ALL-UNNAMED\
                  """
                      .formatted(e)),
          e);
    } finally {
      thread.setContextClassLoader(context);
    }
  }
}
