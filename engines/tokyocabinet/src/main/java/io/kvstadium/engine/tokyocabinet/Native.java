package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.store.engine.help.NativeFunctions;
import java.lang.foreign.MemorySegment;

/** The library, and the forms that several of its functions have. */
final class Native {
  static final String LIBRARY = "libtokyocabinet.so.9";
  static final NativeFunctions FUNCTIONS = new NativeFunctions(LIBRARY);

  /** Frees what the library allocated; does nothing for a null pointer. */
  static final Delete FREE = FUNCTIONS.function("tcfree", Delete.class);

  private static final Message MESSAGE = FUNCTIONS.function("tcerrmsg", Message.class);

  private Native() {}

  /** Makes an object. */
  public interface Create {
    MemorySegment call();
  }

  /** Ends an object. */
  public interface Delete {
    void call(MemorySegment object);
  }

  /** Returns whether it succeeded. */
  public interface Test {
    boolean call(MemorySegment object);
  }

  /** The same with a key. */
  public interface TestKey {
    boolean call(MemorySegment object, MemorySegment key, int length);
  }

  /** Returns the text for an error. */
  public interface Message {
    MemorySegment call(int code);
  }

  /** The library's text for an error. */
  static String message(int code) {
    return NativeFunctions.text(MESSAGE.call(code));
  }
}
