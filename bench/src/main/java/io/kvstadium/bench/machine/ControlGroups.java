package io.kvstadium.bench.machine;

import io.kvstadium.bench.machine.Availability.Available;
import io.kvstadium.bench.machine.Availability.Unavailable;
import io.kvstadium.bench.machine.Mounts.Mount;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The control group of Linux (version 2) below which groups with memory limits can be made: the
 * nearest one above this process that hands the memory controller down and may be written to, as
 * root, or where systemd has delegated it to the user. If there is none and this process and its
 * children have a group to themselves, they move into a leaf of that group when the first limit is
 * requested, because only leaves may have processes.
 */
public final class ControlGroups {
  private static final String PREFIX = "stadium-";
  private static final Pattern OURS = Pattern.compile("stadium-(\\d+)-.*");
  private static final String SUBTREE = "cgroup.subtree_control";
  private static final String MEMORY = "memory";
  private static final String ADVICE =
      "run as root, or under 'systemd-run --user --scope -p Delegate=yes ./stadium …'";

  private final Path parent;
  private final boolean handOver;

  private ControlGroups(Path parent, boolean handOver) {
    this.parent = parent;
    this.handOver = handOver;
  }

  /** Looks for such a group. Changes nothing. */
  public static Availability find() {
    return find(SystemFiles.real());
  }

  static Availability find(SystemFiles system) {
    List<String> own = system.lines("/proc/self/cgroup");
    if (own.isEmpty()) {
      return new Unavailable(
          "there are no control groups here; only Linux has them", "measure on Linux");
    }
    CgroupPath place = place(system, own);
    return place == null
        ? new Unavailable(
            "no control groups (version 2) with a memory controller are mounted",
            "run outside of this container, or give it a writable /sys/fs/cgroup; on a system with"
                + " version 1, boot with systemd.unified_cgroup_hierarchy=1")
        : available(place);
  }

  /**
   * The groups with the memory controller that this process is in, from its own up to the topmost
   * visible one; none if there is no such controller.
   */
  static List<Path> own(SystemFiles system) {
    CgroupPath place = place(system, system.lines("/proc/self/cgroup"));
    return place == null ? List.of() : place.upwards();
  }

  /**
   * Where this process is in the hierarchy.
   *
   * @param top where the hierarchy is mounted
   * @param group below it or the same
   */
  private record CgroupPath(Path top, Path group) {
    List<Path> upwards() {
      List<Path> path = new ArrayList<>();
      for (Path each = group; each != null && each.startsWith(top); each = each.getParent()) {
        path.add(each);
      }
      return path;
    }
  }

  /** The place, or {@code null} if there is no hierarchy with a memory controller. */
  private static @Nullable CgroupPath place(SystemFiles system, List<String> own) {
    for (Mount mount : Mounts.of(system).all()) {
      for (String line : own) {
        if (mount.type().equals("cgroup2") && line.startsWith("0::")) {
          Path top = system.path(mount.point().toString());
          if (handsDown(top.resolve("cgroup.controllers"))) {
            return new CgroupPath(top, inside(top, mount.root(), line.substring("0::".length())));
          }
        }
      }
    }
    return null;
  }

  private static Availability available(CgroupPath place) {
    Path group = place.group();
    for (Path each : place.upwards()) {
      if (handsDown(each.resolve(SUBTREE)) && writable(each)) {
        return new Available(new ControlGroups(each, false));
      }
    }
    if (!handsDown(group.resolve("cgroup.controllers"))) {
      return new Unavailable("the memory controller is not handed down to " + group, ADVICE);
    }
    if (!writable(group)) {
      return new Unavailable(group + " may not be written to by this user", ADVICE);
    }
    return isOurs(group)
        ? new Available(new ControlGroups(group, true))
        : new Unavailable(
            "other processes are in " + group + ", so that it cannot be divided", ADVICE);
  }

  /**
   * Returns where a group is visible; in a container only a part of the hierarchy may be mounted.
   */
  private static Path inside(Path point, String root, String group) {
    Path below = Path.of(root).normalize();
    Path path = Path.of(group);
    Path found = path.startsWith(below) ? point.resolve(below.relativize(path).toString()) : point;
    return Files.isDirectory(found) && found.normalize().startsWith(point)
        ? found.normalize()
        : point;
  }

  private static boolean handsDown(Path controllers) {
    String line = SystemFiles.line(controllers);
    return line != null && Set.of(line.split(" ")).contains(MEMORY);
  }

  private static boolean writable(Path group) {
    return Files.isWritable(group) && Files.isWritable(group.resolve("cgroup.procs"));
  }

  /** Returns whether only this process, its ancestors and its descendants are in a group. */
  private static boolean isOurs(Path group) {
    Set<Long> ours = new HashSet<>();
    ProcessHandle self = ProcessHandle.current();
    for (ProcessHandle each = self; each != null; each = each.parent().orElse(null)) {
      ours.add(each.pid());
    }
    self.descendants().forEach(each -> ours.add(each.pid()));
    return SystemFiles.lines(group.resolve("cgroup.procs")).stream()
        .allMatch(line -> ours.contains(Long.parseLong(line.strip())));
  }

  /** Where groups are made. */
  Path parent() {
    return parent;
  }

  /**
   * Creates a group whose processes together get no more memory than this, page cache included, and
   * no swap where that can be forbidden.
   *
   * @param name for people; characters that a file name cannot have are replaced
   * @param limitBytes more than zero; the kernel rounds it down to whole pages
   * @throws IOException if the system refuses
   */
  public ControlGroup create(String name, long limitBytes) throws IOException {
    long self = ProcessHandle.current().pid();
    Path directory = parent.resolve(PREFIX + self + "-" + name.replaceAll("[^A-Za-z0-9_-]+", "_"));
    try {
      removeLeftOvers();
      if (handOver && !handsDown(parent.resolve(SUBTREE))) {
        divide();
      }
      Files.createDirectory(directory);
    } catch (IOException e) {
      throw new IOException("cannot make the control group " + directory + " (" + e + ")", e);
    }
    ControlGroup group = new ControlGroup(directory, limitBytes);
    try {
      group.limit();
      return group;
    } catch (IOException e) {
      group.close();
      throw new IOException("cannot limit the control group " + directory + " (" + e + ")", e);
    }
  }

  /** Only leaves may have processes: those that are here move into one. */
  private void divide() throws IOException {
    Path leaf = parent.resolve(PREFIX + ProcessHandle.current().pid() + "-itself");
    Files.createDirectories(leaf);
    for (String pid : SystemFiles.lines(parent.resolve("cgroup.procs"))) {
      Files.writeString(leaf.resolve("cgroup.procs"), pid);
    }
    Files.writeString(parent.resolve(SUBTREE), "+" + MEMORY);
  }

  /** Removes the groups of processes that were killed and could not clean up. */
  private void removeLeftOvers() throws IOException {
    try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path group : groups) {
        Matcher name = OURS.matcher(String.valueOf(group.getFileName()));
        if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
          removeIfEmpty(group);
        }
      }
    }
  }

  private static void removeIfEmpty(Path group) {
    try {
      Files.delete(group);
    } catch (IOException e) {
      // it still has processes, so the system does not remove it
    }
  }
}
