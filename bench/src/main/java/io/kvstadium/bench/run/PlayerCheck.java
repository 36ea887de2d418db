package io.kvstadium.bench.run;

import static io.kvstadium.bench.run.CheckedPlayer.task;
import static io.kvstadium.bench.run.CheckedPlayer.thread;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.bench.player.GoldenTrace;
import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.run.CheckedPlayer.FaultException;
import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Whether a player does what docs/internals/player-protocol.md says: it plays traces whose answers
 * are known, and some that are wrong, so that it must notice; and it is killed.
 *
 * @param directory for stores, which are removed
 * @param progress receives what is checked
 */
public record PlayerCheck(PlayerProgram program, Path directory, Consumer<String> progress) {
  private static final int ACKNOWLEDGED = 500;
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  /**
   * Something that a player does wrong.
   *
   * @param engine of the player
   * @param check what was tried
   * @param what was wrong
   */
  public record Fault(String engine, String check, String what) {
    @Override
    public String toString() {
      return engine + ", " + check + ": " + what;
    }
  }

  /** Something to try on a new store. */
  private interface Check {
    void on(CheckedPlayer player, EngineDeclaration engine, Path directory) throws IOException;
  }

  /** All that is wrong with one of its engines. */
  public List<Fault> check(EngineDeclaration engine) throws IOException {
    return check(engine, _ -> true);
  }

  /** What is wrong with one of its engines, by checks with some names. */
  List<Fault> check(EngineDeclaration engine, Predicate<String> included) throws IOException {
    List<Fault> faults = new ArrayList<>();
    for (Map.Entry<String, Check> each : checks(engine).entrySet()) {
      if (!included.test(each.getKey())) {
        continue;
      }
      progress.accept(engine.name() + ": " + each.getKey());
      Path own = Files.createDirectories(directory.resolve(engine.name()));
      try (CheckedPlayer player = new CheckedPlayer(program, engine.name(), own)) {
        each.getValue().on(player, engine, own);
      } catch (FaultException e) {
        faults.add(new Fault(engine.name(), each.getKey(), String.valueOf(e.getMessage())));
      } finally {
        FileTrees.remove(own);
      }
    }
    return faults;
  }

  private Map<String, Check> checks(EngineDeclaration engine) {
    Map<String, Check> checks = new LinkedHashMap<>();
    List<String> can = engine.capabilities();
    checks.put("levels", this::levels);
    if (!can.contains("persistent") || !can.contains("write") || !can.contains("ordered-scan")) {
      return checks; // such as one that keeps nothing: there is nothing to look at
    }
    checks.put("puts, gets, misses and deletes", PlayerCheck::golden);
    checks.put("scans", PlayerCheck::scans);
    checks.put("a get of several keys over blocks", PlayerCheck::several);
    if (can.contains("batch")) {
      checks.put("a batch over blocks", PlayerCheck::batches);
    }
    checks.put("a get that finds nothing where the trace has a value", lie(PlayerCheck::missing));
    checks.put("a get that finds something where the trace has a miss", lie(PlayerCheck::found));
    checks.put("a get that finds other bytes than the trace has", lie(PlayerCheck::otherBytes));
    checks.put("a scan that finds another number of entries", lie(PlayerCheck::otherCount));
    checks.put("a scan that begins with other bytes", lie(PlayerCheck::otherScan));
    checks.put("seconds", PlayerCheck::seconds);
    checks.put("a new process on the store", this::reopened);
    checks.put("gets on the closed store", PlayerCheck::opening);
    if (can.contains("read-only")) {
      checks.put("read_only", this::readOnly);
    }
    if (can.contains("bulk-load")) {
      checks.put("a bulk load", PlayerCheck::load);
    }
    if (plays("threads")) {
      checks.put("threads", PlayerCheck::threads);
    }
    if (plays("rate")) {
      checks.put("a rate", PlayerCheck::rate);
    }
    if (plays("background")) {
      checks.put("a background load", PlayerCheck::background);
    }
    for (Durability level : levels(engine)) {
      checks.put("a kill at " + level.word(), (player, own, at) -> killed(player, own, at, level));
    }
    return checks;
  }

  private boolean plays(String what) {
    return program.hello().plays().contains(what);
  }

  private static List<Durability> levels(EngineDeclaration engine) {
    return engine.durability().keySet().stream().map(Durability::of).sorted().toList();
  }

  /** The level to check at what has nothing to do with levels. */
  private static Durability usual(EngineDeclaration engine) {
    return levels(engine).getFirst();
  }

  private static void open(CheckedPlayer player, EngineDeclaration engine) throws IOException {
    player.open(usual(engine), Map.of());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] key(int i) {
    return bytes(String.format(Locale.ROOT, "key %07d", i * 7919L % 1_000_003));
  }

  private static byte[] value(int i, int size) {
    byte[] value = new byte[size];
    new SplittableRandom(i).nextBytes(value);
    return value;
  }

  /** Entries of different lengths. */
  private static GoldenTrace filled(int count) {
    GoldenTrace trace = new GoldenTrace();
    for (int i = 0; i < count; i++) {
      trace.put(key(i), value(i, i % 50 == 7 ? 0 : i % 97 == 3 ? 9_000 : 20 + i % 300));
    }
    return trace;
  }

  /** Opens a new store and puts entries of different lengths. */
  private static GoldenTrace filled(CheckedPlayer player, EngineDeclaration engine, int count)
      throws IOException {
    open(player, engine);
    GoldenTrace trace = filled(count);
    player.plays(trace);
    return trace;
  }

  // ---- checks ----

  private void levels(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    for (Durability level : levels(engine)) {
      player.open(level, Map.of());
      if (engine.capabilities().contains("write")) {
        GoldenTrace trace = new GoldenTrace();
        trace.put(key(1), value(1, 30));
        player.plays(trace);
      }
      player.does(task("background"));
      player.does(task("close"));
      FileTrees.remove(directory.resolve("store"));
    }
  }

  private static void golden(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    open(player, engine);
    GoldenTrace trace = filled(400);
    trace.put(new byte[] {0}, value(1, 3));
    trace.put(new byte[] {(byte) 0xff, (byte) 0x80, 0}, value(2, 3));
    trace.put(new byte[200], value(3, 3));
    player.plays(trace);
    player.requireContents(trace.model());
    GoldenTrace more = trace.next();
    for (int i = 0; i < 600; i += 2) {
      more.get(key(i));
      more.put(key(i), value(1_000 + i, i % 40));
      more.delete(key(i + 1));
      more.get(key(i + 1));
      more.change(key(i), value(2_000 + i, 50));
      more.get(key(i));
    }
    more.delete(bytes("never there"));
    player.plays(more);
    player.requireContents(more.model());
  }

  private static void scans(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    open(player, engine);
    GoldenTrace trace = filled(500);
    for (int i = 0; i < 500; i += 9) {
      trace.scan(key(i), 1 + i % 120);
    }
    trace.scan(trace.model().lastKey(), 10);
    trace.scan(bytes("a key that is not there"), 10);
    trace.scan(bytes("zzz, after all others"), 10);
    trace.scanAll();
    player.plays(trace);
  }

  private static void several(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    GoldenTrace trace = filled(player, engine, 6_000);
    GoldenTrace reads = trace.next();
    reads.begin();
    for (int i = 0; i < 7_000; i++) {
      reads.get(key(i));
    }
    reads.end();
    player.plays(reads);
  }

  private static void batches(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    open(player, engine);
    GoldenTrace trace = filled(100);
    trace.begin();
    for (int i = 0; i < 8_000; i++) {
      trace.put(key(i), value(3_000 + i, 20));
    }
    for (int i = 0; i < 50; i++) {
      trace.delete(key(i));
    }
    trace.end();
    player.plays(trace);
    player.requireContents(trace.model());
  }

  /** Operations that say something wrong, after some that are right. */
  private static Check lie(Consumer<GoldenTrace> lies) {
    return (player, engine, directory) -> {
      GoldenTrace trace = filled(player, engine, 100);
      GoldenTrace wrong = trace.next();
      for (int i = 0; i < 20; i++) {
        wrong.get(key(i));
      }
      lies.accept(wrong);
      player.plays(wrong);
    };
  }

  private static void missing(GoldenTrace trace) {
    trace.get(bytes("never there"), value(1, 10));
  }

  private static void found(GoldenTrace trace) {
    trace.get(key(5), null);
  }

  private static void otherBytes(GoldenTrace trace) {
    trace.get(key(5), value(4_711, 25));
  }

  private static void otherCount(GoldenTrace trace) {
    trace.scan(key(5), 3, trace.model().get(key(5)), 2);
  }

  private static void otherScan(GoldenTrace trace) {
    trace.scan(key(5), 1, value(4_711, 25), 1);
  }

  private static void seconds(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    GoldenTrace trace = filled(player, engine, 100);
    GoldenTrace reads = trace.next();
    for (int i = 0; i < 60_000; i++) {
      reads.get(key(i % 100));
    }
    double limit = 0.01;
    Message.PlayedThread own =
        player.does(player.playing(List.of(reads), limit)).threads().getFirst();
    player.requireMeasured(own);
    if (own.operations() == 60_000 && own.nanos() > 3 * limit * 1e9) {
      throw new FaultException(
          "all calls were made, which took %,d ns, and seconds was %s"
              .formatted(own.nanos(), limit));
    }
  }

  private void reopened(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    GoldenTrace trace = filled(player, engine, 1_000);
    player.does(task("close"));
    player.close();
    try (CheckedPlayer next = new CheckedPlayer(program, engine.name(), directory)) {
      open(next, engine);
      next.requireContents(trace.model());
    }
  }

  private static void opening(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    GoldenTrace trace = filled(player, engine, 100);
    player.does(task("close"));
    GoldenTrace reads = trace.next();
    reads.get(key(3));
    reads.get(key(200));
    reads.get(key(4));
    player.playsOpening(reads, usual(engine));
  }

  private void readOnly(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    GoldenTrace trace = filled(player, engine, 100);
    player.does(task("close"));
    player.open(usual(engine), Map.of("read_only", "true"));
    GoldenTrace reads = trace.next();
    reads.get(key(3));
    player.plays(reads);
    GoldenTrace writes = new GoldenTrace();
    writes.put(key(3), value(7, 10));
    player.refuses(player.playing(List.of(writes), 0), "the store is open with read_only=true");
    try (CheckedPlayer next = new CheckedPlayer(program, engine.name(), directory)) {
      open(next, engine);
      next.requireContents(trace.model());
    }
  }

  private static void load(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    open(player, engine);
    NavigableMap<byte[], byte[]> model = filled(5_000).model();
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(content);
    for (Map.Entry<byte[], byte[]> each : model.entrySet()) {
      out.writeInt(each.getKey().length);
      out.writeInt(each.getValue().length);
      out.write(each.getKey());
      out.write(each.getValue());
    }
    Path file = Files.write(directory.resolve("entries"), content.toByteArray());
    Map<String, Object> task =
        task("load", "entries", file.toAbsolutePath().toString(), "sorted", true);
    Message.Played played = player.does(task);
    player.require(task, "threads", played.threads().size(), 1);
    Message.PlayedThread own = played.threads().getFirst();
    player.require(task, "entries", own.entries(), model.size());
    player.require(task, "writtenBytes", own.writtenBytes(), content.size() - 8L * model.size());
    player.requireContents(model);
  }

  private static void threads(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    GoldenTrace trace = filled(player, engine, 1_000);
    List<GoldenTrace> traces = new ArrayList<>();
    for (int lane = 0; lane < 4; lane++) {
      GoldenTrace own = trace.next();
      for (int i = 0; i < 20_000; i++) {
        own.get(key((i * 4 + lane) % 1_000));
      }
      own.put(key(lane), value(5_000 + lane, 30));
      traces.add(own);
    }
    Message.Played played = player.does(player.playing(traces, 0));
    player.require(played, traces);
    player.requireContents(trace.model());
    long sum = played.threads().stream().mapToLong(each -> each.nanos()).sum();
    if (played.nanos() > sum) {
      throw new FaultException(
          "threads play one after the other: nanos is %,d, and those of its threads %,d in all"
              .formatted(played.nanos(), sum));
    }
  }

  private static void rate(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    open(player, engine);
    GoldenTrace trace = filled(100);
    Map<String, Object> task = player.playing(List.of(trace), 0);
    thread(task, 0).putAll(Map.of("first", 0, "period", 2e6));
    Message.Played played = player.does(task);
    player.require(played, List.of(trace));
    Message.PlayedThread own = played.threads().getFirst();
    long responses = own.responses().stream().mapToLong(List::getLast).sum();
    player.require(task, "calls with a response", responses, 100);
    if (played.nanos() < 99 * 2_000_000L) {
      throw new FaultException(
          "100 calls, each 2 ms after the one before, ended after %,d ns"
              .formatted(played.nanos()));
    }
  }

  private static void background(CheckedPlayer player, EngineDeclaration engine, Path directory)
      throws IOException {
    GoldenTrace trace = filled(player, engine, 100);
    GoldenTrace reads = trace.next();
    GoldenTrace beside = trace.next();
    for (int i = 0; i < 2_000; i++) {
      reads.get(key(i % 100));
      beside.get(key(i % 100));
    }
    Map<String, Object> task = player.playing(List.of(reads, beside), 0);
    thread(task, 1).putAll(Map.of("background", true, "first", 0, "period", 100e6));
    List<Message.PlayedThread> played = player.does(task).threads();
    player.require(task, "threads", played.size(), 2);
    player.require(task, "operations", played.getFirst().operations(), 2_000);
    if (played.getLast().operations() == 2_000) {
      throw new FaultException("a background load went on after the others had ended");
    }
  }

  /** Kills it while it puts; what it has acknowledged must then be there, as far as promised. */
  private void killed(
      CheckedPlayer player, EngineDeclaration engine, Path directory, Durability level)
      throws IOException {
    GoldenTrace before = filled(100);
    GoldenTrace writes = new GoldenTrace();
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      writes.put(key(1_000 + i), value(i, 40));
    }
    player.open(level, Map.of());
    player.plays(before);
    Path file = directory.resolve("acknowledged");
    Map<String, Object> task = player.playing(List.of(writes), 0);
    thread(task, 0).put("acknowledge", file.toAbsolutePath().toString());
    player.begins(task);
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (acknowledged(file) < ACKNOWLEDGED) {
      if (System.nanoTime() > deadline) {
        throw new FaultException(
            "after 20 s, %s has no number of at least %d".formatted(file, ACKNOWLEDGED));
      }
      pause();
    }
    player.kill();
    long said = acknowledged(file);
    boolean promises = level != Durability.NONE && level != Durability.ENGINE_DEFAULT;
    try (CheckedPlayer next = new CheckedPlayer(program, engine.name(), directory)) {
      next.open(level, Map.of());
      NavigableMap<byte[], byte[]> found = next.dump();
      for (int i = 0; promises && i < said; i++) {
        byte[] value = found.get(key(1_000 + i));
        if (!Arrays.equals(value, value(i, 40))) {
          throw new FaultException(
              "it had acknowledged %,d puts when it was killed, and of number %,d there is %s"
                  .formatted(said, i + 1, CheckedPlayer.hex(value)));
        }
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long acknowledged(Path file) throws IOException {
    String text = Files.exists(file) ? Files.readString(file).strip() : "";
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }
}
