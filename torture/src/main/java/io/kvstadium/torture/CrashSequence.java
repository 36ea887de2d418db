package io.kvstadium.torture;

import io.kvstadium.store.StoreUrl;
import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.check.Finding.Kind;
import io.kvstadium.torture.check.Guarantee;
import io.kvstadium.torture.check.Plan;
import io.kvstadium.torture.check.Sessions;
import io.kvstadium.torture.child.Child;
import io.kvstadium.torture.child.Child.Stage;
import io.kvstadium.torture.child.Children;
import io.kvstadium.torture.child.Children.Role;
import io.kvstadium.torture.child.Message;
import io.kvstadium.torture.child.WorkerArguments;
import io.kvstadium.torture.fault.FaultInjector;
import io.kvstadium.torture.fault.KeptStores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Faults on one store, one after another, until there are enough or something is found. */
final class CrashSequence {
  /** The longest wait for a child. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The longest time from the open to the fault. */
  private static final int MOST_MILLIS = 250;

  private final Path home;
  private final Children children;
  private final FaultInjector injector;
  private final StoreUrl url;
  private final Plan plan;
  private final Guarantee guarantee;
  private final boolean backsUp;
  private final KeptStores kept;
  private final SplittableRandom random;
  private final Sessions sessions = new Sessions();
  private final Set<String> evidence = new LinkedHashSet<>();
  private long[] present;
  private boolean over;

  /** How long the last open took, to time faults during an open. */
  private long openNanos = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * @param home for the children's sockets and logs
   * @param children use the store
   * @param url of the store, with its location in the directory of the injector
   * @param guarantee what is demanded after a fault
   * @param backsUp whether backups are made meanwhile; whatever the guarantee, they must survive
   * @param kept receives the store after each fault
   */
  CrashSequence(
      Path home,
      Children children,
      FaultInjector injector,
      StoreUrl url,
      Plan plan,
      Guarantee guarantee,
      boolean backsUp,
      KeptStores kept) {
    this.home = home;
    this.children = children;
    this.injector = injector;
    this.url = url;
    this.plan = plan;
    this.guarantee = guarantee;
    this.backsUp = backsUp;
    this.kept = kept;
    random = new SplittableRandom(plan.seed());
    present = new long[plan.writers()];
  }

  /** Whether another round makes no sense, because something was found. */
  boolean isOver() {
    return over;
  }

  /**
   * What the faults of the last round found that was not durable, a sentence each: what the first
   * one took may be all that was missing to the others.
   */
  List<String> evidence() {
    return List.copyOf(evidence);
  }

  private void inject(Child child) throws IOException, InterruptedException {
    injector.inject(child, random);
    evidence.addAll(injector.evidence());
  }

  Round next() throws IOException, InterruptedException {
    evidence.clear();
    int session = sessions.begin(present);
    long[] acknowledged;
    long[] begun;
    long[] synced;
    Message.@Nullable BackedUp backup;
    long faultNanos;
    List<Finding> findings = new ArrayList<>();
    int faults = 1;
    try (Child worker = worker(session)) {
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
      faultNanos = System.nanoTime();
      findings.addAll(beforeFault(worker));
      inject(worker);
      boolean refused = !worker.findings().isEmpty();
      begun = worker.acknowledged();
      if (injector.acknowledgesToTheEnd()) {
        acknowledged = begun.clone();
        synced = worker.synced();
        backup = worker.backup();
        faultNanos = System.nanoTime();
      }
      for (int writer = 0; writer < begun.length; writer++) {
        begun[writer]++;
      }
      findings.addAll(injector.wrong(worker.findings()));
      if (findings.isEmpty()) {
        faults += injectIntoRecovery();
        kept.afterFault(injector);
        Round round =
            check(faults, refused, worker, acknowledged, begun, synced, backup, faultNanos);
        over = !round.findings().isEmpty();
        return round;
      }
      kept.afterFault(injector);
      over = true;
      return new Round(faults, refused, worker.operations(), 0, 0, 0, findings);
    }
  }

  private Child worker(int session) throws IOException {
    List<String> also = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      also.add("compact");
    }
    if (random.nextInt(3) == 0) {
      also.add("sync");
    }
    // where nothing is promised of the store, its backups are all that is checked
    if (backsUp && (guarantee == Guarantee.NOTHING || random.nextInt(4) == 0)) {
      also.add("backup");
    }
    WorkerArguments arguments =
        new WorkerArguments()
            .with("url", Variations.of(url, random))
            .with("plan", plan.text())
            .with("session", session)
            .with("start", Sessions.text(present))
            .with("also", String.join("+", also))
            .with("backups", backups())
            .with("fills", injector.fills())
            .with("pause", random.nextInt(3) == 0 ? random.nextLong(2_000_000) : 0);
    return children.start(home, injector.workerPrefix(random), Role.WRITER, arguments, present);
  }

  private Path backups() {
    return injector.directory().resolve("backups");
  }

  /** What went wrong before the fault. */
  private List<Finding> beforeFault(Child worker) throws IOException, InterruptedException {
    if (injector.failsCalls()) {
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

  /** Now and then the next open gets a fault as well, once or twice, before the store is read. */
  private int injectIntoRecovery() throws IOException, InterruptedException {
    int kind = random.nextInt(12);
    int faults = kind < 9 ? 0 : kind < 11 ? 1 : 2;
    for (int i = 0; i < faults; i++) {
      WorkerArguments arguments = new WorkerArguments().with("url", Variations.of(url, random));
      try (Child opener =
          children.start(home, injector.prefix(), Role.WRITER, arguments, new long[0])) {
        opener.await(Stage.OPENING, PATIENCE);
        pause(random.nextLong(2 * openNanos));
        inject(opener);
      }
    }
    return faults;
  }

  private Round check(
      int faults,
      boolean refused,
      Child worker,
      long[] acknowledged,
      long[] begun,
      long[] synced,
      Message.@Nullable BackedUp backup,
      long faultNanos)
      throws IOException, InterruptedException {
    WorkerArguments arguments =
        new WorkerArguments()
            .with("url", url)
            .with("plan", plan.text())
            .with("sessions", sessions.text())
            .with("guarantee", guarantee)
            .with("acknowledged", Sessions.text(acknowledged))
            .with("begun", Sessions.text(begun))
            .with("synced", Sessions.text(synced));
    if (backup != null) {
      arguments
          .with("backups", backups())
          .with("backup", backup.id())
          .with("backed up", Sessions.text(backup.counts()));
    }
    try (Child checker =
        children.start(home, injector.prefix(), Role.CHECKER, arguments, new long[0])) {
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
      long oldest = faultNanos;
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
          faults,
          refused,
          worker.operations(),
          lost,
          (faultNanos - oldest) / 1e6,
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
