package io.kvstadium.engine.qdbm;

import io.kvstadium.store.engine.help.NativeFunctions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The library, and what concerns all of its parts. */
final class Native {
  static final String LIBRARY = "libqdbm.so.14";
  static final NativeFunctions FUNCTIONS = new NativeFunctions(LIBRARY);
  static final int NO_ENTRY = 5;
  private static final Place ERROR = FUNCTIONS.function("dpecodeptr", Place.class);
  private static final Message MESSAGE = FUNCTIONS.function("dperrmsg", Message.class);

  private Native() {}

  /** Returns where the calling thread's last error is. */
  public interface Place {
    MemorySegment call();
  }

  /** Returns the text for an error. */
  public interface Message {
    MemorySegment call(int code);
  }

  /** The code of the calling thread's last error. */
  static int error() {
    return NativeFunctions.MEMORY.get(ValueLayout.JAVA_INT, ERROR.call().address());
  }

  /** The library's text for an error. */
  static String message(int code) {
    return NativeFunctions.text(MESSAGE.call(code));
  }
}
