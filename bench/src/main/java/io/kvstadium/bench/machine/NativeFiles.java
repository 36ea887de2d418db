package io.kvstadium.bench.machine;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;

/** Calls of the system's C library that the JDK does not offer. 64-bit Linux only. */
@SuppressWarnings("restricted") // the launcher allows native access, which engines need too
final class NativeFiles {
  private static final int READ_ONLY = 0; // O_RDONLY
  private static final int DONT_NEED = 4; // POSIX_FADV_DONTNEED

  /** How much of a file is mapped at a time. */
  private static final long WINDOW = 1L << 30;

  private static final long PAGE = pageSize();

  private static final MethodHandle SYNC = handle("sync", FunctionDescriptor.ofVoid());
  private static final MethodHandle MINCORE =
      handle(
          "mincore",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS));
  private static final MethodHandle OPEN =
      handle(
          "open",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FSYNC =
      handle("fsync", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  private static final MethodHandle FADVISE =
      handle(
          "posix_fadvise",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));

  private NativeFiles() {}

  private static MethodHandle handle(
      String name, FunctionDescriptor type, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
  }

  private static long pageSize() {
    MethodHandle call = handle("getpagesize", FunctionDescriptor.of(ValueLayout.JAVA_INT));
    try {
      return (int) call.invokeExact();
    } catch (Throwable e) {
      throw broken("getpagesize", e);
    }
  }

  /** Starts writing everything dirty to its device, and on Linux waits until it is there. */
  static void sync() {
    try {
      SYNC.invokeExact();
    } catch (Throwable e) {
      throw broken("sync", e);
    }
  }

  static Residency residency(FileChannel channel) throws IOException {
    long size = channel.size();
    long pages = 0;
    long resident = 0;
    for (long offset = 0; offset < size; offset += WINDOW) {
      long length = Math.min(WINDOW, size - offset);
      int count = Math.toIntExact((length + PAGE - 1) / PAGE);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment mapping = channel.map(MapMode.READ_ONLY, offset, length, arena);
        MemorySegment answer = arena.allocate(count);
        if ((int) MINCORE.invokeExact(mapping, length, answer) != 0) {
          return new Residency(size, -1);
        }
        for (int i = 0; i < count; i++) {
          resident += answer.get(ValueLayout.JAVA_BYTE, i) & 1;
        }
      } catch (IOException e) {
        throw e;
      } catch (Throwable e) {
        throw broken("mincore", e);
      }
      pages += count;
    }
    return new Residency(pages * PAGE, resident * PAGE);
  }

  /**
   * Syncs a file, because only clean pages can be dropped, and tells the system that they are not
   * needed.
   */
  static void dropPages(Path file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int descriptor =
          (int) OPEN.invokeExact(arena.allocateFrom(file.toAbsolutePath().toString()), READ_ONLY);
      if (descriptor < 0) {
        throw new IOException("cannot open " + file + " to drop it from the page cache");
      }
      int synced = (int) FSYNC.invokeExact(descriptor);
      // for the whole file
      int advised = (int) FADVISE.invokeExact(descriptor, 0L, 0L, DONT_NEED);
      int closed = (int) CLOSE.invokeExact(descriptor);
      if (synced != 0 || advised != 0 || closed != 0) {
        throw new IOException("cannot sync " + file + " and drop it from the page cache");
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw broken("posix_fadvise", e);
    }
  }

  private static IllegalStateException broken(String call, Throwable cause) {
    return new IllegalStateException("the system's " + call + " cannot be called", cause);
  }
}
