package io.kvstadium.torture;

import io.kvstadium.store.StoreUrl;
import io.kvstadium.torture.Child.Stage;
import io.kvstadium.torture.Finding.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Strikes on one store, one after another, until there are enough or something is found. */
final class Chain {
  /** The longest wait for a child. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The longest time from the open to the strike. */
  private static final int MOST_MILLIS = 250;

  private final Path home;
  private final Ground ground;
  private final StoreUrl url;
  private final Plan plan;
  private final Promise promise;
  private final boolean backsUp;
  private final KeptStores kept;
  private final SplittableRandom random;
  private final Lives lives = new Lives();
  private long[] present;
  private boolean over;

  /** How long the last open took, to time strikes during an open. */
  private long openNanos = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * @param home for the children's sockets and logs
   * @param url of the store, with its location in the ground
   * @param promise what is demanded after a strike
   * @param backsUp whether backups are made meanwhile; whatever the promise, they must survive
   * @param kept receives the store after each strike
   */
  Chain(
      Path home,
      Ground ground,
      StoreUrl url,
      Plan plan,
      Promise promise,
      boolean backsUp,
      KeptStores kept) {
    this.home = home;
    this.ground = ground;
    this.url = url;
    this.plan = plan;
    this.promise = promise;
    this.backsUp = backsUp;
    this.kept = kept;
    random = new SplittableRandom(plan.seed());
    present = new long[plan.writers()];
  }

  /** Whether another round makes no sense, because something was found. */
  boolean isOver() {
    return over;
  }

  Round next() throws IOException, InterruptedException {
    int life = lives.begin(present);
    long[] acknowledged;
    long[] begun;
    long[] synced;
    Message.@Nullable BackedUp backup;
    long struck;
    List<Finding> findings = new ArrayList<>();
    int strikes = 1;
    try (Child worker = worker(life)) {
      boolean closes = random.nextInt(8) == 0;
      worker.await(Stage.OPEN, PATIENCE);
      worker.awaitOperation(PATIENCE);
      pause(TimeUnit.MILLISECONDS.toNanos(random.nextLong(1, MOST_MILLIS)));
      if (closes) {
        worker.askToClose();
        worker.await(Stage.CLOSING, PATIENCE);
        pause(random.nextLong(TimeUnit.MILLISECONDS.toNanos(20)));
      }
      acknowledged = worker.acknowledged();
      synced = worker.synced();
      backup = worker.backup();
      struck = System.nanoTime();
      findings.addAll(beforeStrike(worker));
      ground.strike(worker, random);
      boolean refused = !worker.findings().isEmpty();
      begun = worker.acknowledged();
      if (ground.acknowledgesToTheEnd()) {
        acknowledged = begun.clone();
        synced = worker.synced();
        backup = worker.backup();
        struck = System.nanoTime();
      }
      for (int writer = 0; writer < begun.length; writer++) {
        begun[writer]++;
      }
      findings.addAll(ground.wrong(worker));
      if (findings.isEmpty()) {
        strikes += strikeRecovery();
        kept.struck(ground);
        Round round = check(strikes, refused, worker, acknowledged, begun, synced, backup, struck);
        over = !round.findings().isEmpty();
        return round;
      }
      kept.struck(ground);
      over = true;
      return new Round(strikes, refused, worker.operations(), 0, 0, 0, findings);
    }
  }

  private Child worker(int life) throws IOException {
    List<String> also = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      also.add("compact");
    }
    if (random.nextInt(3) == 0) {
      also.add("sync");
    }
    // where nothing is promised of the store, its backups are all that is judged
    if (backsUp && (promise == Promise.NOTHING || random.nextInt(4) == 0)) {
      also.add("backup");
    }
    Orders orders =
        new Orders()
            .with("url", Variations.of(url, random))
            .with("plan", plan.text())
            .with("life", life)
            .with("start", Lives.text(present))
            .with("also", String.join("+", also))
            .with("backups", backups())
            .with("fills", ground.fills())
            .with("pause", random.nextInt(3) == 0 ? random.nextLong(2_000_000) : 0);
    return new Child(home, ground.workerPrefix(random), WorkerMain.class, orders, present);
  }

  private Path backups() {
    return ground.directory().resolve("backups");
  }

  /** What went wrong before the strike. */
  private List<Finding> beforeStrike(Child worker) throws IOException, InterruptedException {
    if (ground.failsCalls()) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>(worker.findings());
    if (findings.isEmpty() && worker.stage() != Stage.DONE) {
      if (!worker.isAlive()) {
        worker.kill(); // reads what it reported
        findings.addAll(worker.findings());
        if (findings.isEmpty() && worker.stage() != Stage.DONE) {
          findings.add(died("the process that writes", worker));
        }
      } else if (worker.operations() == 0) {
        findings.add(hangs("the process that writes", worker));
      }
    }
    return findings;
  }

  /** Now and then the next open is struck as well, once or twice, before the store is read. */
  private int strikeRecovery() throws IOException, InterruptedException {
    int kind = random.nextInt(12);
    int strikes = kind < 9 ? 0 : kind < 11 ? 1 : 2;
    for (int i = 0; i < strikes; i++) {
      Orders orders = new Orders().with("url", Variations.of(url, random));
      try (Child opener = new Child(home, ground.prefix(), WorkerMain.class, orders, new long[0])) {
        opener.await(Stage.OPENING, PATIENCE);
        pause(random.nextLong(2 * openNanos));
        ground.strike(opener, random);
      }
    }
    return strikes;
  }

  private Round check(
      int strikes,
      boolean refused,
      Child worker,
      long[] acknowledged,
      long[] begun,
      long[] synced,
      Message.@Nullable BackedUp backup,
      long struck)
      throws IOException, InterruptedException {
    Orders orders =
        new Orders()
            .with("url", url)
            .with("plan", plan.text())
            .with("lives", lives.text())
            .with("promise", promise)
            .with("acknowledged", Lives.text(acknowledged))
            .with("begun", Lives.text(begun))
            .with("synced", Lives.text(synced));
    if (backup != null) {
      orders
          .with("backups", backups())
          .with("backup", backup.id())
          .with("backed up", Lives.text(backup.counts()));
    }
    try (Child checker = new Child(home, ground.prefix(), CheckerMain.class, orders, new long[0])) {
      boolean ended = checker.ends(PATIENCE);
      List<Finding> findings = new ArrayList<>();
      if (!ended) {
        findings.add(hangs("the process that reads", checker));
      } else {
        findings.addAll(checker.findings());
        if (findings.isEmpty() && checker.stage() != Stage.DONE) {
          findings.add(died("the process that reads", checker));
        }
      }
      Message.@Nullable Opened opened = checker.opened();
      if (opened != null) {
        openNanos = opened.nanos();
      }
      long[] found = checker.present();
      long lost = 0;
      long oldest = struck;
      if (found != null) {
        for (int writer = 0; writer < found.length; writer++) {
          if (found[writer] < acknowledged[writer]) {
            lost += acknowledged[writer] - found[writer];
            if (found[writer] >= present[writer]) {
              oldest = Math.min(oldest, worker.time(writer, found[writer]));
            }
          }
        }
        present = found;
      }
      return new Round(
          strikes,
          refused,
          worker.operations(),
          lost,
          (struck - oldest) / 1e6,
          opened == null ? 0 : opened.nanos(),
          findings);
    }
  }

  private static Finding died(String what, Child child) throws IOException {
    return new Finding(
        Kind.CRASH, what + " ended with code " + child.exitCode() + ": " + child.lastWords());
  }

  private static Finding hangs(String what, Child child) throws IOException, InterruptedException {
    child.tellThreads();
    return new Finding(
        Kind.HANG,
        what
            + " did nothing for "
            + PATIENCE.toSeconds()
            + " s at stage "
            + child.stage()
            + ": "
            + child.lastWords());
  }

  private static void pause(long nanos) {
    LockSupport.parkNanos(nanos);
  }
}
