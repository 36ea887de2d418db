package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineTable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.zip.CRC32C;

/** A CQL table, with its statements, which are prepared when they are first used. */
final class CassandraTable implements EngineTable {
  /** Roughly how much an answer of several rows should hold at most. */
  private static final int ANSWER_BYTES = 256 << 10;

  /** Few enough for the driver, which takes 256 MiB, even if all rows suddenly have full length. */
  private static final int MOST_ROWS = 60;

  /** Roughly what a row takes in addition to key and value. */
  private static final int ROW_OVERHEAD = 32;

  /** For a table whose rows are not known yet. */
  private static final int FIRST_GUESS = ANSWER_BYTES / 8;

  final String get;
  final String getMany;
  final String find;
  final String put;
  final String delete;
  final String deletePartition;
  private final TableMark mark;
  private final String cql;
  private final ConcurrentMap<String, PreparedStatement> prepared = new ConcurrentHashMap<>();
  private volatile int rowBytes = FIRST_GUESS;

  CassandraTable(TableMark mark, String cql) {
    this.mark = mark;
    this.cql = cql;
    this.get = "SELECT v FROM " + cql + " WHERE p = ? AND k = ?";
    this.getMany = "SELECT k, v FROM " + cql + " WHERE p = ? AND k IN ?";
    this.find = "SELECT k FROM " + cql + " WHERE p = ? AND k = ?";
    this.put = "INSERT INTO " + cql + " (p, k, v) VALUES (?, ?, ?) USING TIMESTAMP ?";
    this.delete = "DELETE FROM " + cql + " USING TIMESTAMP ? WHERE p = ? AND k = ?";
    this.deletePartition = "DELETE FROM " + cql + " USING TIMESTAMP ? WHERE p = ?";
  }

  @Override
  public String name() {
    return mark.table();
  }

  TableMark mark() {
    return mark;
  }

  /** How many partitions there are. */
  int partitions() {
    return mark.partitions();
  }

  /** The partition of a key; it never changes. */
  int partition(byte[] key) {
    CRC32C hash = new CRC32C();
    hash.update(key);
    return Integer.remainderUnsigned((int) hash.getValue(), mark.partitions());
  }

  /**
   * The statement that reads the entries of a range in one partition; binds the partition and those
   * bounds that exist.
   */
  String scan(Range<byte[]> range) {
    return "SELECT k"
        + (range.withoutValues() ? "" : ", v")
        + " FROM "
        + cql
        + " WHERE p = ?"
        + (range.from() == null ? "" : range.fromInclusive() ? " AND k >= ?" : " AND k > ?")
        + (range.to() == null ? "" : range.toInclusive() ? " AND k <= ?" : " AND k < ?")
        + " ORDER BY k "
        + (range.reversed() ? "DESC" : "ASC");
  }

  PreparedStatement prepared(CqlSession session, String statement) {
    return prepared.computeIfAbsent(statement, session::prepare);
  }

  /** Notes how long a row is. */
  void saw(int bytes) {
    if (bytes > rowBytes) {
      rowBytes = bytes;
    }
  }

  /** Notes how long the longest row of an answer was: longer ones are gradually forgotten. */
  void sawLongest(int bytes) {
    rowBytes = Math.max(bytes, rowBytes / 2);
  }

  /** How many rows to ask for at once, judging by those seen. */
  int rowsAtOnce() {
    return Math.clamp(ANSWER_BYTES / (rowBytes + ROW_OVERHEAD), 1, MOST_ROWS);
  }
}
