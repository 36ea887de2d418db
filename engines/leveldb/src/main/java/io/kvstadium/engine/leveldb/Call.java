package io.kvstadium.engine.leveldb;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.kvstadium.store.engine.help.NativeArguments;
import io.kvstadium.store.engine.help.NativeFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What a thread passes to the library, and gets from it. */
final class Call {
  private static final ThreadLocal<Call> CALLS = ThreadLocal.withInitial(Call::new);

  final NativeArguments arguments = new NativeArguments();

  /** Where the library puts an error's text; a null pointer between calls. */
  final MemorySegment error = Arena.ofAuto().allocate(ADDRESS);

  /** The calling thread's. */
  static Call mine() {
    return CALLS.get();
  }

  /** Throws the error of the last call, if there was one. */
  void check(String name) {
    MemorySegment text = error.get(ADDRESS, 0);
    if (!text.equals(MemorySegment.NULL)) {
      error.set(ADDRESS, 0, MemorySegment.NULL);
      String message = NativeFunctions.text(text);
      LevelDb.FREE.call(text);
      throw new LevelDbException(name, message);
    }
  }
}
