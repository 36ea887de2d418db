package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds the files of a directory that are entries, and what else is in it. */
final class DirectoryFiles extends SimpleFileVisitor<Path> {
  private static final HexFormat HEX = HexFormat.of();
  private static final String HIDDEN = "hidden file or folder";
  private static final String LINK = "symbolic link";
  private static final String FOLDER = "sub-folder";
  private static final String OTHER = "other item that is not a file";

  private final Path root;
  private final boolean recurse;
  private final List<String> names = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();
  private final Map<String, Integer> leftOut = new TreeMap<>();

  private DirectoryFiles(Path root, boolean recurse) {
    this.root = root;
    this.recurse = recurse;
  }

  /**
   * Walks a directory, which itself may be a symbolic link.
   *
   * @param recurse whether to descend into sub-folders
   */
  static DirectoryFiles list(Path directory, boolean recurse) {
    try {
      DirectoryFiles files = new DirectoryFiles(directory.toRealPath(), recurse);
      Files.walkFileTree(files.root, files);
      return files;
    } catch (IOException e) {
      throw new StoreIoException(
          "Reading " + directory + " failed: " + e.getMessage() + "; check that it can be read", e);
    }
  }

  /** Returns the sorted paths below the directory, with {@code /} between their parts. */
  List<String> names(Comparator<String> order) {
    return names.stream().sorted(order).toList();
  }

  /** Returns what is wrong with files that have no valid name or are in unreadable folders. */
  List<String> unreadable() {
    return unreadable;
  }

  /** Returns counts such as {@code 2 symbolic links}. */
  List<String> leftOut() {
    return leftOut.entrySet().stream()
        .map(each -> each.getValue() + " " + plural(each.getKey(), each.getValue()))
        .toList();
  }

  private static String plural(String what, int count) {
    if (count == 1) {
      return what;
    }
    return switch (what) {
      case HIDDEN -> "hidden files or folders";
      case OTHER -> "other items that are not files";
      default -> what + "s";
    };
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
    if (folder.equals(root)) {
      return FileVisitResult.CONTINUE;
    }
    if (hidden(folder)) {
      leaveOut(HIDDEN);
      return FileVisitResult.SKIP_SUBTREE;
    }
    if (!recurse) {
      leaveOut(FOLDER);
      return FileVisitResult.SKIP_SUBTREE;
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (hidden(file)) {
      leaveOut(HIDDEN);
    } else if (attributes.isSymbolicLink()) {
      leaveOut(LINK);
    } else if (attributes.isRegularFile()) {
      add(file);
    } else {
      leaveOut(OTHER);
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    if (file.equals(root)) {
      throw e;
    }
    unreadable.add(escaped(file) + " cannot be read (" + e.getClass().getSimpleName() + ")");
    return FileVisitResult.CONTINUE;
  }

  private void leaveOut(String what) {
    leftOut.merge(what, 1, Integer::sum);
  }

  private static boolean hidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }

  /** A name can be a key only if it is text by which the file can be found again. */
  private void add(Path file) {
    String name = root.relativize(file).toString();
    if (isText(file, name)) {
      names.add(name.replace(root.getFileSystem().getSeparator(), "/"));
    } else {
      unreadable.add(
          "the name of "
              + escaped(file)
              + (StandardCharsets.UTF_8.name().equals(System.getProperty("sun.jnu.encoding"))
                  ? " is not UTF-8: rename it, for example with mv or convmv"
                  : " cannot be read in this locale: start with LC_ALL=C.UTF-8"));
    }
  }

  private boolean isText(Path file, String name) {
    try {
      return root.resolve(name).equals(file);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** The path as a shell understands it, such as {@code $'data/caf\xe9.json'}. */
  private static String escaped(Path path) {
    // the URI has the name's bytes, which the text has lost
    byte[] ascii = path.toUri().getRawPath().getBytes(StandardCharsets.US_ASCII);
    StringBuilder text = new StringBuilder();
    boolean plain = true;
    for (int i = 0; i < ascii.length; i++) {
      int b = ascii[i];
      if (b == '%') {
        b = HexFormat.fromHexDigits(path.toUri().getRawPath(), i + 1, i + 3);
        i += 2;
      }
      if (b < ' ' || b > '~') {
        text.append("\\x").append(HEX.toHexDigits((byte) b));
        plain = false;
      } else {
        text.append(b == '\'' || b == '\\' ? "\\" : "").append((char) b);
        plain &= b != '\'' && b != '\\';
      }
    }
    return plain ? text.toString() : "$'" + text + "'";
  }

  /**
   * Makes sure that there is a file.
   *
   * @throws BadArgumentException saying what there is instead
   */
  void checkNotEmpty() {
    if (names.isEmpty() && unreadable.isEmpty()) {
      throw new BadArgumentException(
          "The directory "
              + root
              + " has no files"
              + (leftOut.isEmpty() ? "" : ", only " + String.join(" and ", leftOut()))
              + ": give one with a file per entry"
              + (leftOut.containsKey(FOLDER) ? ", or leave out --no-recurse" : ""));
    }
  }
}
