package io.kvstadium.transfer.halodb;

import io.kvstadium.store.LockedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * HaloDB's files, read without HaloDB: every record once at the open, with its checksum. Of the
 * records of a key the one with the highest sequence counts, unless a deletion has a higher one.
 * Index files, which HaloDB itself does not check, and leftovers of a repair ({@code .repair}) are
 * ignored.
 */
final class RecordFiles implements AutoCloseable {
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.(datac?|tombstone)");

  /** A part of a file without damage. */
  record Stretch(int file, long from, long to) {}

  /** A part of a file that holds no sound record. */
  private record Place(Path file, long offset, long bytes) {
    @Override
    public String toString() {
      return "%s at byte %d (%d bytes)".formatted(file.getFileName(), offset, bytes);
    }
  }

  private final Arena arena = Arena.ofShared();
  private final @Nullable FileChannel lock;
  private final RecordFile[] files;
  private final KeyIndex index;
  private final List<Stretch> stretches = new ArrayList<>();
  private final List<Place> damaged = new ArrayList<>();
  private final List<Place> torn = new ArrayList<>();
  private final CRC32 crc = new CRC32();

  /** Reads all files. */
  RecordFiles(Path directory) throws IOException {
    this.lock = lock(directory.resolve("LOCK"));
    try {
      List<Path> paths = list(directory);
      files = new RecordFile[paths.size()];
      for (int i = 0; i < files.length; i++) {
        files[i] = RecordFile.map(paths.get(i), arena);
      }
      index = new KeyIndex(files);
      Set<Path> newest = new HashSet<>(newestOfItsKind(paths).values());
      for (int i = 0; i < files.length; i++) { // deletions come last
        read(i, newest.contains(paths.get(i)));
      }
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Whether a directory has files with HaloDB's names. */
  static boolean areIn(Path directory) {
    try {
      return !list(directory).isEmpty();
    } catch (IOException _) {
      return false; // whoever reads it says why
    }
  }

  /** Keeps HaloDB out, or finds that it is there. */
  private static @Nullable FileChannel lock(Path file) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true);
      if (shared != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw inUse(file, e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw inUse(file, null);
  }

  private static LockedException inUse(Path file, @Nullable Exception cause) {
    return new LockedException(file.getParent() + " is open in HaloDB: close it there", cause);
  }

  /** Files of entries before those of deletions, each in the order of their numbers. */
  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> NAME.matcher(file.getFileName().toString()).matches())
          .sorted(
              Comparator.comparing((Path file) -> kind(file).equals("tombstone"))
                  .thenComparingLong(RecordFiles::number))
          .toList();
    }
  }

  private static Map<String, Path> newestOfItsKind(List<Path> ascending) {
    Map<String, Path> newest = new HashMap<>();
    ascending.forEach(path -> newest.put(kind(path), path));
    return newest;
  }

  private static Matcher name(Path file) {
    Matcher matcher = NAME.matcher(file.getFileName().toString());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(file.toString());
    }
    return matcher;
  }

  private static long number(Path file) {
    return Long.parseLong(name(file).group(1));
  }

  private static String kind(Path file) {
    return name(file).group(2);
  }

  private void read(int number, boolean newest) {
    RecordFile file = files[number];
    long begun = 0;
    long at = 0;
    while (at < file.size()) {
      RecordFile.Found found = file.sound(at, crc);
      if (found != null) {
        take(number, at, found);
        at = found.end();
        continue;
      }
      add(number, begun, at);
      long next = file.nextSound(at + 1, crc);
      boolean isEnd = newest && next == file.size();
      (isEnd ? torn : damaged).add(new Place(file.path(), at, next - at));
      begun = next;
      at = next;
    }
    add(number, begun, at);
  }

  private void add(int file, long from, long to) {
    if (to > from && !files[file].deletions()) {
      stretches.add(new Stretch(file, from, to));
    }
  }

  private void take(int number, long at, RecordFile.Found found) {
    RecordFile file = files[number];
    if (file.deletions()) {
      index.delete(file.key(found), found.sequence());
    } else {
      index.add(number, at, found);
    }
  }

  KeyIndex index() {
    return index;
  }

  RecordFile file(int number) {
    return files[number];
  }

  /** Where the records of entries are, file by file. */
  List<Stretch> stretches() {
    return stretches;
  }

  /** The damaged places, other than {@link #torn}. */
  List<String> damaged() {
    return damaged.stream().map(Place::toString).toList();
  }

  /** Torn ends of the newest file of its kind, which an abnormal end leaves. */
  List<String> torn() {
    return torn.stream().map(Place::toString).toList();
  }

  @Override
  public void close() throws IOException {
    arena.close();
    if (lock != null) {
      lock.close();
    }
  }
}
