package io.kvstadium.server.session;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.command.streams.StreamReads;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The requests of a connection that wait: decides which of them are executed together, and by whom.
 * Belongs to the event loop.
 */
final class RequestQueue {
  /** Further requests go into the next batch, so that replies begin to flow. */
  private static final int MAX_REQUESTS = 1_024;

  private static final int MAX_BYTES = 1 << 20;

  /** No more requests are parsed before some of the waiting ones were executed. */
  static final int MAX_WAITING = 16 * MAX_REQUESTS;

  /** A request with more arguments than this runs on its own. */
  private static final int LONG_REQUEST = 256;

  /** Who executes requests. */
  enum Lane {
    /** The event loop; they need no store. */
    HERE,
    READ,
    LONG_READ,
    WRITE,
    LONG_WRITE
  }

  /**
   * Requests that are executed together.
   *
   * @param needsSnapshot whether everything they read must be from one moment
   * @param isPoint whether each reads what it names, and few bytes of it
   * @param scripts whether they run scripts
   * @param waits whether they may wait for other clients
   */
  record Taken(
      List<Request> requests,
      Lane lane,
      boolean needsSnapshot,
      boolean isPoint,
      boolean scripts,
      boolean waits) {
    boolean isLong() {
      return lane == Lane.LONG_READ || lane == Lane.LONG_WRITE;
    }
  }

  private final Sessions sessions;
  private final Deque<Request> waiting = new ArrayDeque<>();
  private long bytes;

  RequestQueue(Sessions sessions) {
    this.sessions = sessions;
  }

  void add(Request request) {
    waiting.add(request);
    bytes += request.bytes();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  /** The next one; there must be one. */
  Request next() {
    return waiting.element();
  }

  /** Whether one of those that wait may wait for other clients. */
  boolean anyWaits() {
    return waiting.stream().anyMatch(RequestQueue::waits);
  }

  /** The size of the requests that wait or are being executed. */
  long bytes() {
    return bytes;
  }

  /** Forgets those that wait. */
  void clear() {
    waiting.forEach(each -> bytes -= each.bytes());
    waiting.clear();
  }

  /** What was taken was executed, as far as a batch goes; the rest waits again. */
  void executed(RequestBatch batch) {
    for (Request each : batch.executed()) {
      bytes -= each.bytes();
    }
    List<Request> left = batch.left();
    for (int i = left.size() - 1; i >= 0; i--) {
      waiting.addFirst(left.get(i));
    }
  }

  /** Takes requests that can be executed together. */
  Taken take(Client own) {
    List<Request> requests = new ArrayList<>(Math.min(waiting.size(), 64));
    boolean multi = own.inMulti();
    Lane lane = Lane.HERE;
    boolean needsSnapshot = false;
    boolean isPoint = true;
    boolean scripts = false;
    boolean waits = false;
    long taken = 0;
    while (!waiting.isEmpty() && requests.size() < MAX_REQUESTS && taken < MAX_BYTES) {
      Request next = refusedIfBusy(waiting.element(), multi);
      Lane its = lane(next, multi);
      boolean isLong = its == Lane.LONG_READ || its == Lane.LONG_WRITE || waits(next);
      if (!requests.isEmpty() && (isLong || sessions.server().clients().pause().holds(own, next))) {
        break;
      }
      requests.add(next);
      waiting.remove();
      lane = its.compareTo(lane) > 0 ? its : lane;
      Command command = next.command();
      // EXEC may end the block, and ends it if it is refused
      multi = multi && its == Lane.HERE && (command == null || !isExec(command));
      needsSnapshot |= command != null && needsSnapshot(command);
      isPoint &= command == null || isPoint(command);
      waits |= waits(next);
      scripts |= command != null && (command.is(Flag.SCRIPT) || endsWithScripts(own, command));
      if (isLong || (command != null && command.is(Flag.PAUSES))) {
        break;
      }
      taken += next.bytes();
    }
    return new Taken(requests, lane, needsSnapshot, isPoint, scripts, waits);
  }

  /** Whether a command reads by key, or no keys. */
  private static boolean isPoint(Command command) {
    return command.is(Flag.LOCAL)
        || command.is(Flag.POINTS)
        || (command.is(Flag.READONLY)
            && !command.is(Flag.SNAPSHOT)
            && (command.group().equals("string") || command.is(Flag.HEAD)));
  }

  /** Of stores to which others write, nobody can tell whether reads by key are of one moment. */
  private boolean needsSnapshot(Command command) {
    return command.is(Flag.SNAPSHOT)
        || (command.is(Flag.POINTS) && sessions.server().executor().hot() == null);
  }

  /** Whether this is EXEC, and its block has scripts. */
  private static boolean endsWithScripts(Client own, Command command) {
    List<Request> block = own.queue;
    return block != null
        && isExec(command)
        && block.stream()
            .map(Request::command)
            .anyMatch(each -> each != null && each.is(Flag.SCRIPT));
  }

  /** While a script holds up those who write, they are told so; reads go on. */
  private Request refusedIfBusy(Request request, boolean multi) {
    Command command = request.command();
    String refusal = sessions.scripts().refusal();
    if (refusal == null || command == null || (command.is(Flag.AT_ONCE) && !isExec(command))) {
      return request;
    }
    boolean reads = command.is(Flag.READONLY) && !command.is(Flag.SCRIPT) && !multi;
    boolean served = reads && lane(request, false).compareTo(Lane.WRITE) < 0;
    return served || command.is(Flag.BUSY)
        ? request
        : new Request(command, request.arguments(), request.bytes(), refusal);
  }

  private Lane lane(Request request, boolean multi) {
    Command command = request.command();
    int arguments = request.arguments().length;
    boolean fits = command != null && (command.fits(arguments) || isExec(command));
    if (command == null || !fits || command.is(Flag.LOCAL) || request.refusal() != null) {
      return Lane.HERE;
    }
    if (multi) {
      return command.is(Flag.AT_ONCE) ? Lane.WRITE : Lane.HERE;
    }
    boolean takesLong =
        command.is(Flag.LONG) || arguments > LONG_REQUEST || request.bytes() > MAX_BYTES;
    if (command.is(Flag.WRITE)
        || command.is(Flag.TURN)
        || waits(request)
        || (needsSnapshot(command) && !sessions.server().executor().snapshots())) {
      return takesLong ? Lane.LONG_WRITE : Lane.WRITE;
    }
    return takesLong ? Lane.LONG_READ : Lane.READ;
  }

  /** Whether a request may wait, which begins at a turn to write. */
  static boolean waits(Request request) {
    Command command = request.command();
    return command != null
        && command.is(Flag.BLOCKING)
        && (command.first() > 0
            || command.is(Flag.NUMBERED)
            || StreamReads.waits(request.arguments()));
  }

  /** EXEC ends the block even if it is malformed, at its turn to write. */
  private static boolean isExec(Command command) {
    return command.is(Flag.EXECUTES);
  }
}
