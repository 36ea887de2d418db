package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.trial.TrialPlan.Profiling;
import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * What a process did in a phase, from a recording of JFR.
 *
 * @param root of all samples of the processor, by thread and then from the outside in
 * @param hottest frames by samples in which they were at work themselves, the most first
 * @param others by kind of event, such as allocation: the frames with the largest amounts
 */
public record Profile(Node root, List<Hot> hottest, Map<String, List<Hot>> others) {
  /** What is not the store's: keys and values are made and checked. */
  public static final String HARNESS = "benchmark: keys and values are made and checked";

  private static final int HOTTEST = 10;
  private static final int OTHERS = 5;
  private static final Set<String> SAMPLES =
      Set.of("jdk.CPUTimeSample", "jdk.ExecutionSample", "jdk.NativeMethodSample");
  private static final String RECORDER = "thread JFR";
  private static final String ALLOCATION = "jdk.ObjectAllocationSample";

  /** A frame with those that it called. */
  public static final class Node {
    private final String name;
    private final Map<String, Node> called = new TreeMap<>();
    private long samples;

    Node(String name) {
      this.name = name;
    }

    public String name() {
      return name;
    }

    /** In which it was on the stack. */
    public long samples() {
      return samples;
    }

    public List<Node> called() {
      return List.copyOf(called.values());
    }
  }

  /**
   * A frame, and how much of something it is to blame for.
   *
   * @param own samples, bytes or nanoseconds of the frame itself
   * @param all of it and what it called; of others than samples the same as {@code own}
   * @param count of events
   */
  public record Hot(String frame, long own, long all, long count) {}

  /** How many samples there are. */
  public long samples() {
    return root.samples;
  }

  /**
   * Reads a recording.
   *
   * @throws BadArgumentException if it cannot be read
   */
  public static Profile read(Path file) {
    Collected collected = new Collected();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        collected.add(recording.readEvent());
      }
    } catch (IOException e) {
      throw new BadArgumentException("cannot read the recording " + file + ": " + e, e);
    }
    return collected.profile();
  }

  private static final class Collected {
    private final Node root = new Node("");
    private final Map<String, long[]> hot = new HashMap<>();
    private final Map<String, Map<String, long[]>> others = new LinkedHashMap<>();

    void add(RecordedEvent event) {
      String type = event.getEventType().getName();
      List<String> stack = stack(event.getStackTrace());
      if (stack.isEmpty()) {
        return;
      }
      if (SAMPLES.contains(type)) {
        String thread = thread(event);
        if (!thread.startsWith(RECORDER)) {
          sample(thread, stack);
        }
      } else if (type.equals(ALLOCATION)) {
        other("allocated", stack.getLast(), event.getLong("weight"));
      } else if (Profiling.WAITS.contains(type)) {
        other(kind(type), stack.getLast(), event.getDuration().toNanos());
      }
    }

    private static String kind(String type) {
      return switch (type) {
        case "jdk.JavaMonitorEnter" -> "waited for monitors";
        case "jdk.ThreadPark" -> "parked, as at locks and queues";
        case "jdk.FileRead" -> "read files";
        case "jdk.FileWrite" -> "wrote files";
        default -> "forced files to disk";
      };
    }

    private static String thread(RecordedEvent event) {
      RecordedThread thread =
          event.hasField("sampledThread") ? event.getThread("sampledThread") : event.getThread();
      String name = thread == null ? null : thread.getJavaName();
      return name == null ? "thread of the virtual machine" : "thread " + name;
    }

    private void sample(String thread, List<String> stack) {
      Node node = root;
      node.samples++;
      List<String> path = new ArrayList<>(List.of(thread));
      path.addAll(stack);
      for (String each : path) {
        node = node.called.computeIfAbsent(each, Node::new);
        node.samples++;
      }
      stack.stream().distinct().forEach(each -> count(hot, each)[1]++);
      count(hot, stack.getLast())[0]++;
      count(hot, stack.getLast())[2]++;
    }

    private void other(String kind, String frame, long amount) {
      long[] own = count(others.computeIfAbsent(kind, _ -> new HashMap<>()), frame);
      own[0] += amount;
      own[1] += amount;
      own[2]++;
    }

    private static long[] count(Map<String, long[]> counts, String frame) {
      return counts.computeIfAbsent(frame, _ -> new long[3]);
    }

    Profile profile() {
      Map<String, List<Hot>> most = new LinkedHashMap<>();
      others.forEach((kind, frames) -> most.put(kind, most(frames, OTHERS)));
      return new Profile(root, most(hot, HOTTEST), most);
    }

    private static List<Hot> most(Map<String, long[]> frames, int number) {
      return frames.entrySet().stream()
          .map(each ->
              new Hot(each.getKey(), each.getValue()[0], each.getValue()[1], each.getValue()[2]))
          .filter(each -> each.own > 0)
          .sorted(Comparator.comparingLong(Hot::own).reversed().thenComparing(Hot::frame))
          .limit(number)
          .toList();
    }

    /**
     * The frames from the outside in: of the threads that operate on the store those of the store
     * alone; of what these do besides, one frame that says so.
     */
    private static List<String> stack(@Nullable RecordedStackTrace trace) {
      if (trace == null) {
        return List.of();
      }
      List<String> names = new ArrayList<>();
      int from = 0;
      boolean isHarness = false;
      for (RecordedFrame frame : trace.getFrames().reversed()) {
        String type = frame.getMethod().getType().getName();
        if (type.startsWith("io.kvstadium.bench.")) {
          isHarness = true;
          from = names.size() + 1;
        }
        names.add(name(frame.getMethod()));
      }
      if (!isHarness) {
        return names;
      }
      List<String> own = names.subList(from, names.size());
      return own.stream().anyMatch(each -> !each.startsWith("java.")) ? own : List.of(HARNESS);
    }

    /** Without the numbers of hidden classes, which are others in each process. */
    private static String name(RecordedMethod method) {
      return method.getType().getName().replaceAll("[./+]0x[0-9a-f]+", "") + "." + method.getName();
    }
  }
}
