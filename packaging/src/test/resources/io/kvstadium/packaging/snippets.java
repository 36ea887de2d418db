/* imports */
import static io.kvstadium.store.Capability.*;
import io.kvstadium.backup.*;
import io.kvstadium.micrometer.*;
import io.kvstadium.store.*;
import io.kvstadium.store.codec.*;
import io.kvstadium.transfer.*;
import io.micrometer.core.instrument.*;
import java.nio.file.*;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

abstract class Context {
  record Visit(String tenant, long day, String page) {}
  record Session(String user) {}
  static final Codec<Visit> VISIT = Codec.record(Visit.class);
  static final Codec<Session> SESSION = Codec.record(Session.class);
  String url;
  Store store, from, to;
  MeterRegistry registry;
  ScheduledExecutorService scheduler;
  Table<byte[], Long> table;
  Table<byte[], byte[]> events;
  Table<String, Long> visits, accounts;
  Table<Object, Object> users;
  Table<String, String> leases;
  Table<String, Set<String>> tagged;
  List<Entry<String, Long>> entries;
  Cursor<byte[], Long> cursor;
  Range<byte[]> range;
  byte[] key, bytes, lastKey;
  Long value;
  String profile, before, after, page;
  ValueReader<Integer> reader;
  UUID token, other;
  Session session;
  abstract void use(Object key, Object value);
  abstract Set<String> with(Set<String> all, String added);
}
