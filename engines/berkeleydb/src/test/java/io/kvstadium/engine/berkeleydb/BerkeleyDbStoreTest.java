package io.kvstadium.engine.berkeleydb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.Transaction;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.declare.Failure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JE's traps, which the conformance tests cannot know. */
class BerkeleyDbStoreTest {
  @TempDir private Path directory;

  private Store open(String options) {
    return Stadium.open("berkeleydb:" + directory + "?cache_size=16m" + options);
  }

  private static byte[] key(int i) {
    return "key%06d".formatted(i).getBytes(UTF_8);
  }

  private static void fill(Table<byte[], byte[]> table, int entries, int length) {
    for (int i = 0; i < entries; i++) {
      table.put(key(i), new byte[length]);
    }
  }

  private long bytesOfLog() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".jdb"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  private static void elsewhere(Runnable work) throws InterruptedException {
    FutureTask<Void> task = new FutureTask<>(work, null);
    Thread.ofPlatform().start(task);
    try {
      task.get();
    } catch (ExecutionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  @Test
  void anInterruptThatIsPendingDoesNoHarmAndStays() {
    try (Store store = open("")) {
      fill(store.table(), 10, 10);

      Thread.currentThread().interrupt();
      store.table().put(key(10), new byte[1]);
      store.write(batch -> batch.delete(store.table(), key(0)));
      int seen = 0;
      try (Cursor<byte[], byte[]> cursor = store.table().scan(Range.all())) {
        while (cursor.next()) {
          seen++;
        }
      }

      assertThat(Thread.interrupted()).isTrue();
      assertThat(seen).isEqualTo(10);
      assertThat(store.table().get(key(10))).hasSize(1);
    }
  }

  /** How a transaction looks for the last key of a table, which another thread puts and deletes. */
  enum Look {
    GET,
    FIRST,
    CEILING,
    NEXT;

    long count(Table<byte[], byte[]> table) {
      return switch (this) {
        case GET -> table.contains(key(1)) ? 1 : 0;
        case FIRST -> count(table.scan(Range.all()));
        case CEILING -> count(table.scan(Range.between(key(1), key(2))));
        case NEXT -> count(table.scan(Range.<byte[]>all().limit(100)));
      };
    }

    private static long count(Cursor<byte[], byte[]> entries) {
      try (entries) {
        long n = 0;
        while (entries.next()) {
          n++;
        }
        return n;
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatATransactionFoundMissingStaysMissing(Look look) throws Exception {
    try (Store store = open("")) {
      if (look == Look.NEXT) {
        store.table().put(key(0), key(0));
      }
      AtomicBoolean over = new AtomicBoolean();
      FutureTask<Void> other =
          new FutureTask<>(
              () -> {
                while (!over.get()) {
                  store.table().put(key(1), key(1));
                  store.table().delete(key(1));
                }
              },
              null);
      Thread.ofPlatform().start(other);

      try {
        for (int i = 0; i < 4_000; i++) {
          List<Long> counts =
              store.transact(tx -> {
                long before = look.count(tx.on(store.table()));
                return List.of(before, look.count(tx.on(store.table())));
              });
          assertThat(counts.getLast()).as("transaction %d", i).isEqualTo(counts.getFirst());
        }
      } finally {
        over.set(true);
      }
      other.get();
    }
  }

  @Test
  void aCursorMovesFromThreadToThreadAndLocksNothing() throws InterruptedException {
    try (Store store = open("&lock_timeout=100ms")) {
      fill(store.table(), 3, 10);

      try (Cursor<byte[], byte[]> cursor = store.table().scan(Range.<byte[]>all().reverse())) {
        assertThat(cursor.next()).isTrue();
        elsewhere(() -> assertThat(cursor.next()).isTrue());
        elsewhere(() -> store.table().delete(key(1)));
        assertThat(cursor.key()).isEqualTo(key(1));
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isEqualTo(key(0));
      }
    }
  }

  @Test
  void scansBeginNoTransactions() {
    try (Store store = open("");
        Environment same = new Environment(directory.toFile(), null)) {
      fill(store.table(), 100, 10);
      long before = same.getTransactionStats(null).getNBegins();

      assertThat(store.table().count()).isEqualTo(100);

      assertThat(same.getTransactionStats(null).getNBegins()).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aScanThatWaitedInVainGoesOnWhereItWas(boolean reversed) {
    try (Store store = open("&lock_timeout=50ms")) {
      fill(store.table(), 5, 10);
      Range<byte[]> all = reversed ? Range.<byte[]>all().reverse() : Range.all();

      try (Cursor<byte[], byte[]> scan = store.table().scan(all)) {
        scan.next();
        scan.next();
        store.transact(tx -> {
          tx.on(store.table()).put(key(2), new byte[1]);
          assertThatThrownBy(() -> elsewhere(scan::next)).isInstanceOf(ConflictException.class);
          assertThatThrownBy(() -> elsewhere(scan::next)).isInstanceOf(ConflictException.class);
          return 0;
        });

        assertThat(scan.next()).isTrue();
        assertThat(scan.key()).isEqualTo(key(2));
        assertThat(scan.value()).hasSize(1);
        assertThat(scan.next()).isTrue();
        assertThat(scan.key()).isEqualTo(key(reversed ? 1 : 3));
      }
    }
  }

  @Test
  void scansDoNotSeeWhatIsNotCommitted() {
    try (Store store = open("&lock_timeout=50ms")) {
      fill(store.table(), 3, 10);

      store.transact(tx -> {
        tx.on(store.table()).put(key(1), new byte[1]);
        assertThatThrownBy(() -> elsewhere(() -> store.table().count()))
            .isInstanceOf(ConflictException.class)
            .hasMessageContaining(directory.toString());
        return 0;
      });

      assertThat(store.table().count()).isEqualTo(3);
    }
  }

  @Tag("full")
  @Test
  void compactionGivesFilesBack() throws IOException {
    try (Store store = open("&log_file_size=1m")) {
      for (int round = 0; round < 5; round++) {
        fill(store.table(), 2_000, 1_000);
      }
      long before = bytesOfLog();

      store.compact();

      assertThat(bytesOfLog()).isLessThan(before / 2);
      assertThat(store.table().estimateCount()).isEqualTo(2_000);
    }
  }

  @Test
  void tooLittleFreeDiskIsFull() {
    assertThatThrownBy(() -> open("&free_disk=1024g").close())
        .isInstanceOf(FullException.class)
        .hasMessageEndingWith("make room or lower free_disk"); // and not in JE's internals

    assertThatCode(() -> open("").close()).doesNotThrowAnyException();
  }

  @Test
  void threadsEndWithTheStore() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();

    Store store = open("");
    fill(store.table(), 10, 10);
    store.close();

    assertThat(
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread ->
                    thread.getName().matches("(?i).*(cleaner|checkpoint|evict|compr|ver).*"))
                .filter(Thread::isAlive)
                .collect(Collectors.toSet()))
        .isEmpty();
  }

  @Test
  void optionsReachJe() throws IOException {
    try (Store store = open("&log_file_size=1m&cache_mode=evict_ln")) {
      fill(store.table(), 3_000, 1_000);

      assertThat(store.stats()).containsKeys("log_bytes", "fsyncs");
      assertThat(Long.parseLong(store.stats().getOrDefault("cache_bytes", "")))
          .as("without values")
          .isLessThan(2_000_000);
    }

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).anyMatch(file -> file.endsWith("00000002.jdb"));
    }
  }

  private EnvironmentConfig settingsAt(String url) {
    try (Store _ = Stadium.open(url);
        Environment same = new Environment(directory.toFile(), null)) {
      return same.getConfig();
    }
  }

  @Test
  void engineDefaultIsWhatJeHasByItself(@TempDir Path other) {
    EnvironmentConfig jes;
    try (Environment plain =
        new Environment(other.toFile(), new EnvironmentConfig().setAllowCreate(true))) {
      jes = plain.getConfig();
    }

    EnvironmentConfig ours =
        settingsAt("berkeleydb:" + directory + "?durability=engine-default&transactional=false");

    assertThat(ours.getTransactional()).isEqualTo(jes.getTransactional()).isFalse();
    assertThat(ours.getCacheSize()).isEqualTo(jes.getCacheSize());
    assertThat(ours.getLockTimeout(TimeUnit.MILLISECONDS))
        .isEqualTo(jes.getLockTimeout(TimeUnit.MILLISECONDS));
    for (String setting : List.of(EnvironmentConfig.FREE_DISK, EnvironmentConfig.LOG_FILE_MAX)) {
      assertThat(ours.getConfigParam(setting)).as(setting).isEqualTo(jes.getConfigParam(setting));
    }
  }

  @Test
  void whatIsGivenHoldsAtEngineDefaultToo() {
    EnvironmentConfig ours =
        settingsAt(
            "berkeleydb:"
                + directory
                + "?durability=engine-default&cache_size=16m&free_disk=7m&lock_timeout=3s");

    assertThat(ours.getCacheSize()).isEqualTo(16 << 20);
    assertThat(ours.getConfigParam(EnvironmentConfig.FREE_DISK)).isEqualTo("" + (7 << 20));
    assertThat(ours.getLockTimeout(TimeUnit.MILLISECONDS)).isEqualTo(3_000);
  }

  @Test
  void withoutTransactionsNothingIsPromised() {
    assertThatThrownBy(() -> open("&transactional=false").close())
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("durability power");
    try (Store store = open("&durability=engine-default&free_disk=0")) {
      store.write(batch -> batch.put(store.table(), key(0), key(0))); // which needs them
      assertThat(store.table().count()).isEqualTo(1);
    }
  }

  @Test
  void withoutTransactionsAStoreIsTheSameStore() {
    try (Store store = open("")) {
      fill(store.table(), 100, 10);
    }
    try (Store store = open("&durability=engine-default&transactional=false&free_disk=0")) {
      assertThat(store.capabilities())
          .doesNotContain(Capability.BATCH, Capability.PESSIMISTIC_TRANSACTION);
      assertThatThrownBy(() -> store.transact(tx -> 0)).isInstanceOf(UnsupportedException.class);
      store.table().put(key(0), new byte[20]);
      store.table().delete(key(1));
      store.table().put(key(100), new byte[20]);
      try (Cursor<byte[], byte[]> scan = store.table().scan(Range.all())) {
        scan.next();
        store.table().put(scan.key(), new byte[30]); // the scan's own entry, unlocked
      }
      assertThat(store.table().count()).isEqualTo(100);
    }
    try (Store store = open("")) {
      assertThat(store.table().get(key(0))).hasSize(30);
      assertThat(store.table().count()).isEqualTo(100);
      store.write(batch -> batch.delete(store.table(), key(100)));
      assertThat(store.table().count()).isEqualTo(99);
    }
  }

  private void fillThreeFilesAndLoseTheBeginningOfTheLast(String options) throws IOException {
    try (Store store = open("&log_file_size=1m" + options)) {
      for (int i = 0; i < 250; i++) {
        store.table().put(key(i), new byte[10_000]);
      }
    }
    try (FileChannel last =
        FileChannel.open(directory.resolve("00000002.jdb"), StandardOpenOption.WRITE)) {
      last.write(ByteBuffer.allocate(4_096));
    }
  }

  @Test
  void aLastFileWhoseBeginningNeverCameToTheDiskIsSetAside() throws IOException {
    fillThreeFilesAndLoseTheBeginningOfTheLast("&durability=process");

    try (Store store = open("")) {
      assertThat(store.table().get(key(0))).isNotNull();
      assertThat(store.table().get(key(100))).isNotNull();
      assertThat(store.table().get(key(249))).isNull();
      store.table().put(key(249), new byte[1]);
    }

    assertThat(directory.resolve("00000002.jdb.unwritten")).exists();
    try (Store store = open("")) {
      assertThat(store.table().get(key(249))).hasSize(1);
    }
  }

  @Test
  void aLastFileThatWasSyncedIsDamagedIfItsBeginningIsGone() throws IOException {
    fillThreeFilesAndLoseTheBeginningOfTheLast("&durability=power");

    assertThatThrownBy(() -> open("").close()).isInstanceOf(CorruptException.class);
    assertThat(directory.resolve("00000002.jdb")).exists();
  }

  @Test
  void damageInTheLastFileIsFoundIfAskedFor() throws IOException {
    try (Store store = open("")) {
      fill(store.table(), 2_000, 1_000);
    }
    overwrite(200_000, "damage".getBytes(UTF_8));

    assertThatThrownBy(() -> open("&halt_on_damage=true").close())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(directory.toString());
  }

  @Tag("full")
  @Test
  void damageInOtherFilesIsFoundWhenRead() throws IOException {
    try (Store store = open("&log_file_size=1m")) {
      fill(store.table(), 5_000, 1_000);
    }
    overwrite(200_000, new byte[100_000]);

    assertThatThrownBy(this::readAll).isInstanceOf(CorruptException.class);
  }

  @Tag("full")
  @Test
  void aMissingFileIsFound() throws IOException {
    try (Store store = open("&log_file_size=1m")) {
      fill(store.table(), 5_000, 1_000);
    }
    Files.delete(directory.resolve("00000001.jdb"));

    assertThatThrownBy(this::readAll).isInstanceOf(CorruptException.class);
  }

  @Test
  void aFileOfAnotherKindIsCorrupt() throws IOException {
    Files.write(directory.resolve("00000000.jdb"), new byte[10_000]);
    Files.createFile(directory.resolve("stadium.lock")); // or it would be another program's

    assertThatThrownBy(() -> open("").close()).isInstanceOf(CorruptException.class);
  }

  @Test
  void anotherProgramsKindOfDatabaseIsRefused() {
    EnvironmentConfig config = new EnvironmentConfig().setTransactional(true).setAllowCreate(true);
    config.setConfigParam(EnvironmentConfig.FREE_DISK, "0");
    Environment environment = new Environment(directory.toFile(), config);
    environment
        .openDatabase(
            null,
            Store.DEFAULT_TABLE,
            new DatabaseConfig()
                .setTransactional(true)
                .setAllowCreate(true)
                .setSortedDuplicates(true))
        .close();
    environment.close();

    assertThatThrownBy(() -> open("").close()).isInstanceOf(BadArgumentException.class);
  }

  @Test
  void namesThatAreJesOwnAreRefused() {
    try (Store store = open("")) {
      assertThatThrownBy(() -> store.table("_jeIdMap")).isInstanceOf(BadArgumentException.class);
      assertThat(store.tables()).containsExactly(Store.DEFAULT_TABLE);
    }
  }

  private void readAll() {
    try (Store store = open("")) {
      for (int i = 0; i < 5_000; i++) {
        store.table().get(key(i));
      }
    }
  }

  private void overwrite(long offset, byte[] bytes) throws IOException {
    try (FileChannel file =
        FileChannel.open(directory.resolve("00000000.jdb"), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(bytes), offset);
    }
  }

  @Test
  void aScanThatWaitedInVainForALockIsClosedInOrder() {
    try (Store store = open("&lock_timeout=50ms")) {
      fill(store.table(), 3, 10);

      store.transact(tx -> {
        tx.on(store.table()).put(key(1), new byte[1]);
        Thread other = Thread.ofPlatform().unstarted(() -> scanInVain(store.table()));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        other.setUncaughtExceptionHandler((_, e) -> failure.set(e));
        other.start();
        join(other); // while the lock is held
        assertThat(failure).hasNullValue();
        return 0;
      });

      store.table().put(key(1), new byte[2]); // nothing of the scan is left
      assertThat(store.table().get(key(1))).hasSize(2);
    }
  }

  /** JE leaves internal cursors open in calls that meet a full disk. */
  @Test
  void aCommitBesideAnOpenCursorIsAFailureOfJe() {
    try (Store store = open("");
        Environment same = new Environment(directory.toFile(), null);
        Database database =
            same.openDatabase(
                null,
                store.table().name(),
                new DatabaseConfig().setTransactional(true).setAllowCreate(true))) {
      Transaction transaction = same.beginTransaction(null, null);
      try (com.sleepycat.je.Cursor _ = database.openCursor(transaction, null)) {
        assertThat(BerkeleyDbEngine.classify(catchThrowable(transaction::commit)))
            .extracting(Failure::kind)
            .isEqualTo(Failure.Kind.IO);
      }
      transaction.abort();
    }
  }

  /** Another user of the same environment holds the lock, since the library's own take turns. */
  @Test
  void aTransactionsScanThatWaitedInVainForALockIsClosedInOrder() {
    try (Store store = open("&lock_timeout=50ms")) {
      fill(store.table(), 3, 10);
      try (Environment same = new Environment(directory.toFile(), null);
          Database other =
              same.openDatabase(
                  null, Store.DEFAULT_TABLE, new DatabaseConfig().setTransactional(true))) {
        Transaction holding = same.beginTransaction(null, null);
        other.put(holding, new DatabaseEntry(key(1)), new DatabaseEntry(new byte[1]));
        TransactionOptions once =
            TransactionOptions.DEFAULT
                .retryTimeout(Duration.ZERO)
                .lockTimeout(Duration.ofMillis(50));

        assertThatThrownBy(() ->
                store.transact(
                    once,
                    tx -> {
                      scanInVain(tx.on(store.table()));
                      return 0;
                    }))
            .isInstanceOf(ConflictException.class); // for the transaction is lost

        holding.abort();
      }
      store.table().put(key(1), new byte[2]);
      assertThat(store.table().get(key(1))).hasSize(2);
    }
  }

  private static void scanInVain(Table<byte[], byte[]> table) {
    Cursor<byte[], byte[]> scan = table.scan(Range.all());
    assertThatThrownBy(
            () -> {
              while (scan.next()) {}
            })
        .isInstanceOf(ConflictException.class);
    assertThatCode(scan::close).doesNotThrowAnyException();
  }

  /**
   * What the notes say about the default: JE gives up, and nothing that was acknowledged is lost.
   */
  @Test
  void anInterruptInsideACallEndsTheStoreUntilItIsOpenedAgain() throws Exception {
    Store store = open("&lock_timeout=10m");
    Table<byte[], byte[]> table = store.table();
    fill(table, 100, 10);
    AtomicReference<Throwable> met = new AtomicReference<>();
    Thread[] waiting = new Thread[1];

    assertThatThrownBy(() ->
            store.transact(tx -> {
              tx.on(table).put(key(1), new byte[1]);
              waiting[0] =
                  Thread.ofPlatform()
                      .start(() -> met.set(catchThrowable(() -> table.put(key(1), new byte[2]))));
              interruptWhenItWaits(waiting[0]);
              join(waiting[0]);
              return 0;
            }))
        .isInstanceOf(StoreIoException.class);

    assertThat(met.get())
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("JE gave up")
        .hasMessageContaining("open it again");
    assertThatThrownBy(() -> table.get(key(0))).isInstanceOf(StoreIoException.class);
    assertThatThrownBy(() -> table.put(key(0), key(0))).isInstanceOf(StoreIoException.class);
    store.close(); // does not say so again
    try (Store again = open("")) {
      for (int i = 0; i < 100; i++) {
        assertThat(again.table().get(key(i))).hasSize(10);
      }
      again.table().put(key(1), key(1));
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void interruptWhenItWaits(Thread thread) {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING
        && thread.isAlive()) {
      Thread.onSpinWait();
    }
    thread.interrupt();
  }
}
