package io.kvstadium.torture.fault;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Files in memory that distinguish what is durable from what is not, as strictly as POSIX allows: a
 * file's bytes are durable once the file was synced, its name once its directory was. At a cut,
 * each page that was not synced since it was written is as before, as after, or a mix of both by
 * sectors. Of each directory's changes, the first few survive. Paths are absolute. For one thread
 * at a time.
 *
 * <p>Source of the model: FoundationDB's simulated disk, which loses pages and sectors, and ALICE
 * (Pillai et al., OSDI 2014), for names.
 */
public final class LossyFiles {
  static final int PAGE = 4096;
  private static final int SECTOR = 512;

  /** A file or a directory. */
  static final class Node {
    final boolean directory;
    int mode;
    private long size;
    private long durableSize;
    private final Map<Long, byte[]> pages = new HashMap<>();
    private final Map<Long, byte[]> durablePages = new HashMap<>();

    /**
     * Of each page that was written since the last sync, the first byte and the one after the last.
     */
    private final TreeMap<Long, int[]> written = new TreeMap<>();

    private final Map<String, Node> names = new TreeMap<>();
    private final Map<String, Node> durableNames = new TreeMap<>();

    /** Changes of names since the last sync; each is applied as a whole or not at all. */
    private final List<Map<String, @Nullable Node>> changes = new ArrayList<>();

    /** When it was made, and a directory's names changed last. */
    private Instant time = Instant.now();

    private Node(boolean directory, int mode) {
      this.directory = directory;
      this.mode = mode;
    }

    long size() {
      return size;
    }

    Instant time() {
      return time;
    }

    List<String> names() {
      return List.copyOf(names.keySet());
    }

    boolean isEmpty() {
      return names.isEmpty();
    }

    private void change(Map<String, @Nullable Node> change) {
      change.forEach((name, node) -> {
        if (node == null) {
          names.remove(name);
        } else {
          names.put(name, node);
        }
      });
      changes.add(change);
      time = Instant.now();
    }

    int read(ByteBuffer into, long count, long offset) {
      long end = Math.min(size, offset + count);
      for (long at = offset; at < end; ) {
        int within = (int) (at % PAGE);
        int length = (int) Math.min(PAGE - within, end - at);
        byte[] page = pages.get(at / PAGE);
        if (page == null) {
          into.put(new byte[length]);
        } else {
          into.put(page, within, length);
        }
        at += length;
      }
      return (int) Math.max(0, end - offset);
    }

    int write(ByteBuffer from, long count, long offset) {
      for (long at = offset; at < offset + count; ) {
        int within = (int) (at % PAGE);
        int length = (int) Math.min(PAGE - within, offset + count - at);
        from.get(touched(at / PAGE, within, within + length), within, length);
        at += length;
      }
      size = Math.max(size, offset + count);
      return (int) count;
    }

    private byte[] touched(long number, int from, int to) {
      written.merge(
          number,
          new int[] {from, to},
          (a, b) -> new int[] {Math.min(a[0], b[0]), Math.max(a[1], b[1])});
      return pages.computeIfAbsent(number, _ -> new byte[PAGE]);
    }

    void truncate(long length) {
      for (long number : List.copyOf(pages.keySet())) {
        if (number * PAGE >= length) {
          pages.remove(number);
          written.put(number, new int[2]);
        }
      }
      if (length < size && length % PAGE != 0 && pages.containsKey(length / PAGE)) {
        int within = (int) (length % PAGE);
        Arrays.fill(touched(length / PAGE, within, within), within, PAGE, (byte) 0);
      }
      size = length;
    }

    /** Makes its present state survive a cut. */
    void sync() {
      if (directory) {
        durableNames.clear();
        durableNames.putAll(names);
        changes.clear();
        return;
      }
      for (long number : written.keySet()) {
        byte[] page = pages.get(number);
        if (page == null) {
          durablePages.remove(number);
        } else {
          durablePages.put(number, page.clone());
        }
      }
      written.clear();
      durableSize = size;
    }

    /** Whether all of its present state survives a cut. */
    boolean isDurable() {
      return changes.isEmpty() && written.isEmpty() && (directory || size == durableSize);
    }

    /** What would be lost, a sentence each. */
    private List<String> unsynced(String path) {
      List<String> found = new ArrayList<>();
      if (directory) {
        changes.forEach(change -> found.add(changed(path, change)));
        return found;
      }
      long from = -1;
      long to = -1;
      for (Map.Entry<Long, int[]> page : written.entrySet()) {
        int[] bytes = page.getValue();
        long start = page.getKey() * PAGE + bytes[0];
        if (bytes[0] == bytes[1]) {
          continue; // cut off, which the length tells
        }
        if (start != to) {
          addExtent(found, from, to, path);
          from = start;
        }
        to = page.getKey() * PAGE + bytes[1];
      }
      addExtent(found, from, to, path);
      if (found.size() > 1) { // or one file would hide the others
        return List.of(found.getFirst() + ", and " + (found.size() - 1) + " ranges after it");
      }
      if (found.isEmpty() && !isDurable()) {
        found.add(
            String.format(
                Locale.ROOT,
                "%s: its length changed from %,d to %,d bytes, never synced",
                path,
                durableSize,
                size));
      }
      return found;
    }

    private static void addExtent(List<String> found, long from, long to, String path) {
      if (from < to) {
        found.add(
            String.format(
                Locale.ROOT,
                "%s: %,d bytes at offset %,d written, never synced",
                path,
                to - from,
                from));
      }
    }

    private static String changed(String path, Map<String, @Nullable Node> change) {
      String prefix = path.isEmpty() ? "" : path + "/";
      List<String> removed =
          change.entrySet().stream()
              .filter(each -> each.getValue() == null)
              .map(each -> prefix + each.getKey())
              .toList();
      List<String> added =
          change.entrySet().stream()
              .filter(each -> each.getValue() != null)
              .map(each -> prefix + each.getKey())
              .toList();
      String what =
          added.isEmpty()
              ? "the removal of " + removed.getFirst()
              : removed.isEmpty()
                  ? "the new name " + added.getFirst()
                  : "the rename of " + removed.getFirst() + " to " + added.getFirst();
      return what + ": its directory was not synced since";
    }

    private void cut(SplittableRandom random) {
      if (directory) {
        Map<String, Node> left = new TreeMap<>(durableNames);
        for (Map<String, @Nullable Node> change :
            changes.subList(0, random.nextInt(changes.size() + 1))) {
          change.forEach((name, node) -> {
            if (node == null) {
              left.remove(name);
            } else {
              left.put(name, node);
            }
          });
        }
        left.keySet().removeIf(name -> name.startsWith(".fuse_hidden")); // removed but open
        names.clear();
        names.putAll(left);
      } else {
        for (long number : written.keySet()) {
          byte[] page = mixed(durablePages.get(number), pages.get(number), random);
          if (page == null) {
            pages.remove(number);
          } else {
            pages.put(number, page);
          }
        }
        truncate(random.nextBoolean() ? durableSize : size);
      }
      sync();
    }

    /** The page before, the page after, or sectors of both. */
    private static byte @Nullable [] mixed(
        byte @Nullable [] before, byte @Nullable [] after, SplittableRandom random) {
      int kind = random.nextInt(3);
      if (kind < 2) {
        byte[] whole = kind == 0 ? before : after;
        return whole == null ? null : whole.clone();
      }
      byte[] page = before == null ? new byte[PAGE] : before.clone();
      byte[] other = Objects.requireNonNullElseGet(after, () -> new byte[PAGE]);
      for (int at = 0; at < PAGE; at += SECTOR) {
        if (random.nextBoolean()) {
          System.arraycopy(other, at, page, at, SECTOR);
        }
      }
      return page;
    }
  }

  private final Node root = new Node(true, 0755);

  /** The file or directory at a path, or {@code null}. */
  @Nullable Node find(String path) {
    Node node = root;
    for (String name : path.split("/", -1)) {
      if (!name.isEmpty()) {
        node = node == null ? null : node.names.get(name);
      }
    }
    return node;
  }

  private Node parent(String path) {
    return Objects.requireNonNull(find(path.substring(0, path.lastIndexOf('/'))));
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Makes a file or directory where there is none; its parent exists. */
  Node create(String path, boolean directory, int mode) {
    Node node = new Node(directory, mode);
    parent(path).change(Map.of(name(path), node));
    return node;
  }

  /** Removes an existing name. */
  void remove(String path) {
    Map<String, @Nullable Node> change = new LinkedHashMap<>();
    change.put(name(path), null);
    parent(path).change(change);
  }

  /** Renames, replacing what had the new name; atomically within a directory. */
  void rename(String from, String to) {
    Node node = Objects.requireNonNull(find(from));
    Map<String, @Nullable Node> change = new LinkedHashMap<>();
    change.put(name(from), null);
    if (parent(from) == parent(to)) {
      change.put(name(to), node);
      parent(to).change(change);
    } else {
      parent(to).change(Map.of(name(to), node));
      parent(from).change(change);
    }
  }

  /** Loses what was not synced. */
  void cut(SplittableRandom random) {
    List<Node> all = new ArrayList<>(List.of(root));
    for (int i = 0; i < all.size(); i++) {
      Node node = all.get(i);
      node.cut(random);
      node.names.values().stream().filter(each -> !all.contains(each)).forEach(all::add);
    }
  }

  /** What is not durable, a sentence each, by path. */
  List<String> unsynced() {
    List<String> found = new ArrayList<>();
    unsynced(root, "", found);
    return found;
  }

  private static void unsynced(Node node, String path, List<String> found) {
    found.addAll(node.unsynced(path));
    node.names.forEach(
        (name, child) -> unsynced(child, path.isEmpty() ? name : path + "/" + name, found));
  }

  /** Whether a cut would lose nothing. */
  boolean isDurable() {
    return isDurable(root);
  }

  private static boolean isDurable(Node node) {
    return node.isDurable() && node.names.values().stream().allMatch(LossyFiles::isDurable);
  }

  /** The size of all files in bytes. */
  long used() {
    List<Node> all = new ArrayList<>(List.of(root));
    long sum = 0;
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).names.values());
      sum += (long) all.get(i).pages.size() * PAGE;
    }
    return sum;
  }
}
