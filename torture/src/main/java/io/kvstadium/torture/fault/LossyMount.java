package io.kvstadium.torture.fault;

import io.kvstadium.torture.check.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import org.cryptomator.jfuse.api.DirFiller;
import org.cryptomator.jfuse.api.Errno;
import org.cryptomator.jfuse.api.FileInfo;
import org.cryptomator.jfuse.api.FuseOperations;
import org.cryptomator.jfuse.api.Stat;
import org.cryptomator.jfuse.api.Statvfs;
import org.cryptomator.jfuse.api.TimeSpec;
import org.jspecify.annotations.Nullable;

/** {@link LossyFiles} as a file system of FUSE. After a cut every call fails with EIO. */
public final class LossyMount implements FuseOperations {
  /** The capacity that it reports. */
  private static final long CAPACITY = 8L << 30;

  /** How many sentences on what was not durable are given. */
  private static final int MAX_LINES = 8;

  private static final int NO_REPLACE = 1;
  private static final int EXCHANGE = 2;
  private static final int WHITEOUT = 4;
  private static final int PERMISSIONS = 07777;

  private final LossyFiles files;
  private final Errno errno;

  /** The longest time that a sync takes. */
  private final long slowestMillis;

  /** Whether a sync does nothing and reports success. */
  private final boolean lies;

  private final CallLog calls = new CallLog();
  private boolean dead;

  LossyMount(LossyFiles files, Errno errno, long slowestMillis, boolean lies) {
    this.files = files;
    this.errno = errno;
    this.slowestMillis = slowestMillis;
    this.lies = lies;
  }

  /**
   * From now on nothing changes.
   *
   * @return what is not durable, and the calls since all was, a line each; without control
   *     characters, which names may have
   */
  synchronized List<String> die() {
    dead = true;
    Map<String, Integer> unsynced = new LinkedHashMap<>();
    files.unsynced().forEach(line -> unsynced.merge(line, 1, Integer::sum));
    List<String> lines = new ArrayList<>();
    unsynced.entrySet().stream()
        .limit(MAX_LINES)
        .map(each -> each.getKey() + (each.getValue() == 1 ? "" : " (×" + each.getValue() + ")"))
        .forEach(lines::add);
    if (unsynced.size() > MAX_LINES) {
      lines.add("and " + (unsynced.size() - MAX_LINES) + " more that were not synced");
    }
    if (!unsynced.isEmpty()) {
      lines.add("calls since all was durable: " + String.join("; ", calls.lines()));
    }
    return lines.stream().map(line -> line.replaceAll("\\p{Cntrl}", "?")).toList();
  }

  @Override
  public Errno errno() {
    return errno;
  }

  @Override
  public Set<Operation> supportedOperations() {
    return EnumSet.of(
        Operation.GET_ATTR,
        Operation.MKDIR,
        Operation.UNLINK,
        Operation.RMDIR,
        Operation.RENAME,
        Operation.CHMOD,
        Operation.CHOWN,
        Operation.TRUNCATE,
        Operation.OPEN,
        Operation.READ,
        Operation.WRITE,
        Operation.STATFS,
        Operation.FSYNC,
        Operation.FSYNCDIR,
        Operation.CREATE,
        Operation.UTIMENS,
        Operation.OPEN_DIR,
        Operation.READ_DIR,
        Operation.RELEASE,
        Operation.RELEASE_DIR);
  }

  /** Applies an action to the file or directory at a path. */
  private synchronized int with(String path, ToIntFunction<LossyFiles.Node> action) {
    if (dead) {
      return -errno.eio();
    }
    LossyFiles.Node node = files.find(path);
    return node == null ? -errno.enoent() : action.applyAsInt(node);
  }

  private int make(String path, boolean directory, int mode) {
    String parent = path.substring(0, Math.max(1, path.lastIndexOf('/')));
    return with(
        parent,
        _ -> {
          if (files.find(path) != null) {
            return -errno.eexist();
          }
          files.create(path, directory, mode & PERMISSIONS);
          calls.add(directory ? "mkdir" : "create", path);
          return 0;
        });
  }

  @Override
  public int getattr(String path, Stat stat, @Nullable FileInfo info) {
    return with(
        path,
        node -> {
          describe(node, stat);
          return 0;
        });
  }

  private void describe(LossyFiles.Node node, Stat stat) {
    stat.setMode((node.directory ? Stat.S_IFDIR : Stat.S_IFREG) | node.mode);
    stat.setNLink((short) (node.directory ? 2 : 1));
    stat.setSize(node.size());
    stat.aTime().set(node.time());
    stat.mTime().set(node.time());
    stat.cTime().set(node.time());
  }

  @Override
  public int mkdir(String path, int mode) {
    return make(path, true, mode);
  }

  @Override
  public int create(String path, int mode, FileInfo info) {
    return make(path, false, mode);
  }

  @Override
  public int unlink(String path) {
    return with(
        path,
        node -> {
          if (node.directory) {
            return -errno.eisdir();
          }
          files.remove(path);
          calls.add("unlink", path);
          return 0;
        });
  }

  @Override
  public int rmdir(String path) {
    return with(
        path,
        node -> {
          if (!node.directory) {
            return -errno.enotdir();
          }
          if (!node.isEmpty()) {
            return -errno.enotempty();
          }
          files.remove(path);
          calls.add("rmdir", path);
          return 0;
        });
  }

  @Override
  public int rename(String from, String to, int flags) {
    return with(
        from,
        _ -> {
          if ((flags & (EXCHANGE | WHITEOUT)) != 0) {
            return -errno.einval();
          }
          LossyFiles.Node there = files.find(to);
          if (there != null && (flags & NO_REPLACE) != 0) {
            return -errno.eexist();
          }
          if (there != null && !there.isEmpty()) {
            return -errno.enotempty();
          }
          files.rename(from, to);
          calls.add("rename " + from.substring(1) + " to", to);
          return 0;
        });
  }

  @Override
  public int chmod(String path, int mode, @Nullable FileInfo info) {
    return with(
        path,
        node -> {
          node.mode = mode & PERMISSIONS;
          return 0;
        });
  }

  @Override
  public int chown(String path, int user, int group, @Nullable FileInfo info) {
    return with(path, _ -> 0);
  }

  @Override
  public int utimens(String path, TimeSpec access, TimeSpec change, @Nullable FileInfo info) {
    return with(path, _ -> 0);
  }

  @Override
  public int truncate(String path, long size, @Nullable FileInfo info) {
    return with(
        path,
        node -> {
          node.truncate(size);
          calls.add("truncate to " + size + " bytes", path);
          return 0;
        });
  }

  @Override
  public int open(String path, FileInfo info) {
    return with(path, _ -> 0);
  }

  @Override
  public int read(String path, ByteBuffer into, long count, long offset, FileInfo info) {
    return with(path, node -> node.read(into, count, offset));
  }

  @Override
  public int write(String path, ByteBuffer from, long count, long offset, FileInfo info) {
    return with(
        path,
        node -> {
          calls.addWrite(path, offset, count);
          return node.write(from, count, offset);
        });
  }

  @Override
  public int release(String path, FileInfo info) {
    return 0;
  }

  @Override
  public int fsync(String path, int dataOnly, FileInfo info) {
    if (slowestMillis > 0) {
      LockSupport.parkNanos(
          TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(slowestMillis)));
    }
    return with(
        path,
        node -> {
          if (!lies) {
            node.sync();
          }
          if (files.isDurable()) {
            calls.clear();
          } else {
            calls.add(lies ? "sync, a lie," : "sync", path);
          }
          return 0;
        });
  }

  @Override
  public int fsyncdir(String path, int dataOnly, FileInfo info) {
    return fsync(path, dataOnly, info);
  }

  @Override
  public int opendir(String path, FileInfo info) {
    return with(path, node -> node.directory ? 0 : -errno.enotdir());
  }

  @Override
  public int releasedir(String path, FileInfo info) {
    return 0;
  }

  @Override
  public int readdir(String path, DirFiller filler, long offset, FileInfo info, int flags) {
    return with(
        path,
        node -> {
          filler.fill(".", _ -> {}, 0, 0);
          filler.fill("..", _ -> {}, 0, 0);
          for (String name : node.names()) {
            if (filler.fill(name, _ -> {}, 0, 0) != 0) {
              return -errno.enomem();
            }
          }
          return 0;
        });
  }

  @Override
  public synchronized int statfs(String path, Statvfs stat) {
    long free = (CAPACITY - files.used()) / LossyFiles.PAGE;
    stat.setBsize(LossyFiles.PAGE);
    stat.setFrsize(LossyFiles.PAGE);
    stat.setBlocks(CAPACITY / LossyFiles.PAGE);
    stat.setBfree(free);
    stat.setBavail(free);
    stat.setNameMax(255);
    return 0;
  }
}
