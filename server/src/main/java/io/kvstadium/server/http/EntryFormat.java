package io.kvstadium.server.http;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** How the entries of a scan are written. */
public interface EntryFormat {
  /** The type of the reply. */
  String type();

  /** Writes what comes before the first entry. */
  void begin(ByteBuf out);

  /**
   * Writes an entry.
   *
   * @param value {@code null} if only keys are asked for
   */
  void entry(ByteBuf out, byte[] key, @Nullable MemorySegment value);

  /**
   * Writes what comes after the last entry.
   *
   * @param last the last key, if there is more after it; else {@code null}
   */
  void end(ByteBuf out, byte @Nullable [] last);

  /**
   * The bytes of an entry, or -1 if only writing it tells. If they are known, a client that asks to
   * close the connection gets a Content-Length.
   */
  default long length(int key, long value) {
    return -1;
  }
}
