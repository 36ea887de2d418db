package io.kvstadium.bench.trial;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.bench.result.TrialResult;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a trial's process tells its parent: one line each on standard output, marked to distinguish
 * them from lines that an engine may print there.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Message.Hello.class, name = "hello"),
  @JsonSubTypes.Type(value = Message.Played.class, name = "played"),
  @JsonSubTypes.Type(value = Message.Progress.class, name = "progress"),
  @JsonSubTypes.Type(value = Message.Turn.class, name = "turn"),
  @JsonSubTypes.Type(value = Message.Done.class, name = "done")
})
public sealed interface Message {
  /** Marks a line as one of ours. */
  String MARK = "@stadium ";

  /** Version of the protocol between players of other languages and this program. */
  int PROTOCOL = 3;

  /**
   * How a player of another language describes itself.
   *
   * @param protocol that it speaks: {@link #PROTOCOL}
   * @param language such as {@code python}
   * @param version of the language, with what its users must know of it
   * @param plays what it can do besides playing one trace: {@code threads}, {@code rate}, {@code
   *     background}
   * @param engines that it has
   */
  record Hello(
      int protocol,
      String language,
      String version,
      Set<String> plays,
      List<EngineDeclaration> engines)
      implements Message {
    /** All that there is. */
    public static final Set<String> ALL = Set.of("threads", "rate", "background");

    public Hello {
      if (language == null || version == null || engines == null) {
        throw new IllegalArgumentException("it needs language, version and engines");
      }
      plays = plays == null ? Set.of() : Set.copyOf(plays);
    }
  }

  /**
   * What a task of a player took and brought; see {@code docs/internals/player-protocol.md}.
   *
   * @param threads that played, in the order of the task
   * @param gcNanos for which garbage collections stopped it, if it has a collector
   * @param allocatedBytes in timed parts, if the language counts them
   * @param jobs of the engine in the background, if it says so
   */
  record Played(
      long nanos,
      List<PlayedThread> threads,
      @Nullable Long cpuNanos,
      @Nullable Long gcNanos,
      @Nullable Long allocatedBytes,
      @Nullable Integer jobs,
      long pendingBytes)
      implements Message {
    public Played {
      threads = threads == null ? List.of() : List.copyOf(threads);
    }
  }

  /**
   * What one thread of a player did.
   *
   * @param wrong the first result that was not as in the trace
   * @param latencies pairs of nanoseconds and how many calls took so long
   * @param intervals when each ended after the task began, how many operations ended in it, and how
   *     long they took
   * @param responses as latencies, from the intended start of calls at a rate
   * @param lateness as latencies, from the intended start to the true one of calls that were waited
   *     for
   * @param unstarted calls that were due when time was up
   */
  record PlayedThread(
      long nanos,
      long operations,
      long entries,
      long readBytes,
      long writtenBytes,
      long misses,
      @Nullable String wrong,
      List<List<Long>> latencies,
      List<List<Long>> intervals,
      List<List<Long>> responses,
      List<List<Long>> lateness,
      long unstarted) {
    public PlayedThread {
      latencies = pairs(latencies);
      intervals = pairs(intervals);
      responses = pairs(responses);
      lateness = pairs(lateness);
    }

    private static List<List<Long>> pairs(@Nullable List<List<Long>> given) {
      return given == null ? List.of() : given;
    }
  }

  /**
   * Where the trial is; sent several times a second.
   *
   * @param phase {@code warm-up} or a phase's name
   * @param share how much of it is done, 0 to 1
   */
  record Progress(String phase, double share) implements Message {}

  /**
   * The trial has no more to do until it is told to go on: in its turn.
   *
   * @param part that begins or goes on: the name of a phase, or of what comes before or after all
   */
  record Turn(String part) implements Message {}

  /**
   * The end.
   *
   * @param result with its failure if it failed
   * @param data the data's shape by name
   */
  record Done(TrialResult result, Map<String, Object> data) implements Message {}

  /** Returns a message as a line, without its line end. */
  static String encode(Message message) {
    try {
      return MARK + Json.MAPPER.writerFor(Message.class).writeValueAsString(message);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a message is made of records: " + message, e);
    }
  }

  /**
   * Returns the message in a line, or {@code null} if the line has none of ours. It may follow what
   * an engine printed without ending its line.
   *
   * @throws IllegalStateException if a line is marked as ours and cannot be read
   */
  static @Nullable Message decode(String line) {
    int mark = line.indexOf(MARK);
    if (mark < 0) {
      return null;
    }
    try {
      return Json.MAPPER.readValue(line.substring(mark + MARK.length()), Message.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a trial sent a line that cannot be read: " + line, e);
    }
  }

  /** Keeps the mapper out of the interface. */
  final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}
  }
}
