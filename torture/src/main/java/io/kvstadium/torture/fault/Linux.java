package io.kvstadium.torture.fault;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** System calls that Java has no method for. */
public final class Linux {
  /** {@code O_CLOEXEC}, with {@code O_RDONLY}, which is 0. */
  private static final int CLOSE_ON_EXEC = 0x80000;

  /** {@code FS_IOC_SHUTDOWN}, of {@code linux/fs.h} and XFS's {@code GOINGDOWN}. */
  private static final long SHUTDOWN = 0x8004587DL;

  /** {@code FSOP_GOING_FLAGS_NOLOGFLUSH}: what is not flushed is gone. */
  private static final int WITHOUT_FLUSH = 2;

  /** {@code SYNC_FILE_RANGE_WAIT_BEFORE | _WRITE | _WAIT_AFTER}. */
  private static final int WRITE_OUT = 7;

  private static final int ENOENT = 2;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle OPEN =
      handle(
          "open",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  private static final MethodHandle IOCTL =
      handle(
          "ioctl",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle SYNC_FILE_RANGE =
      handle(
          "sync_file_range",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));

  private Linux() {}

  /** An open file or directory, by its descriptor. */
  record Descriptor(int number, Path path) implements AutoCloseable {
    /** Opens it for reading. */
    static Descriptor of(Path path) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        int number =
            (int) OPEN.invokeExact(state, arena.allocateFrom(path.toString()), CLOSE_ON_EXEC);
        return new Descriptor(checked(number, state, "open", path), path);
      } catch (IOException e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("open is called with what it takes", e);
      }
    }

    /** Shuts the file system down without a flush: never before {@link PowerCut} has checked it. */
    void shutDownFileSystem() throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        MemorySegment flags = arena.allocateFrom(ValueLayout.JAVA_INT, WITHOUT_FLUSH);
        checked((int) IOCTL.invokeExact(state, number, SHUTDOWN, flags), state, "shutdown", path);
      } catch (IOException e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("ioctl is called with what it takes", e);
      }
    }

    /** Writes a range to the disk, as the system might at any time. */
    void writeOut(long offset, long length) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        checked(
            (int) SYNC_FILE_RANGE.invokeExact(state, number, offset, length, WRITE_OUT),
            state,
            "sync_file_range",
            path);
      } catch (IOException e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("sync_file_range is called with what it takes", e);
      }
    }

    @Override
    public void close() throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        checked((int) CLOSE.invokeExact(state, number), state, "close", path);
      } catch (IOException e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("close is called with what it takes", e);
      }
    }
  }

  private static int checked(int result, MemorySegment state, String call, Path path)
      throws IOException {
    if (result < 0) {
      int errno = (int) ERRNO.get(state, 0L);
      throw errno == ENOENT
          ? new NoSuchFileException(path.toString())
          : new IOException(call + " of " + path + " failed, errno " + errno);
    }
    return result;
  }

  private static MethodHandle handle(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker.Option[] all = new Linker.Option[options.length + 1];
    System.arraycopy(options, 0, all, 0, options.length);
    all[options.length] = Linker.Option.captureCallState("errno");
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, all);
  }
}
