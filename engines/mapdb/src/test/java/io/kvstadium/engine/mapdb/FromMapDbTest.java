package io.kvstadium.engine.mapdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Entry;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.HTreeMap;
import org.mapdb.Serializer;

/** The lines of docs/from-other-stores.md about MapDB. */
final class FromMapDbTest {
  @TempDir Path directory;

  @Test
  void mapsOfAProgramAreLoaded() {
    String file = directory.resolve("old.db").toString();
    try (DB db = DBMaker.fileDB(file).make()) {
      BTreeMap<String, byte[]> map =
          db.treeMap("users", Serializer.STRING, Serializer.BYTE_ARRAY).create();
      HTreeMap<Long, String> visits =
          db.hashMap("visits", Serializer.LONG, Serializer.STRING).create();
      for (int i = 0; i < 1_000; i++) {
        map.put("user" + i, new byte[i % 10]);
        visits.put((long) i, "page" + i);
      }
      map.put("\uFFFD", new byte[1]);
      map.put("\uD83D\uDE00", new byte[2]);
    }
    try (DB db = DBMaker.fileDB(file).readOnly().make();
        Store store = Stadium.open("mapdb:" + directory.resolve("new") + "?durability=none")) {
      BTreeMap<String, byte[]> map =
          db.treeMap("users", Serializer.STRING, Serializer.BYTE_ARRAY).open();
      Table<String, byte[]> users = store.table("users", Codec.STRING, Codec.BYTES);
      users.bulkLoad(entries(map), false);
      Table<Long, String> visits = store.table("visits", Codec.LONG, Codec.STRING);
      visits.bulkLoad(
          entries(db.hashMap("visits", Serializer.LONG, Serializer.STRING).open()), false);

      assertThat(users.count()).isEqualTo(1_002);
      assertThat(users.get("user7")).hasSize(7);
      assertThat(users.get("\uD83D\uDE00")).hasSize(2);
      assertThat(visits.get(999L)).isEqualTo("page999");
    }
  }

  private static <K, V> Iterator<Entry<K, V>> entries(Map<K, V> map) {
    return map.entrySet().stream()
        .map(entry -> new Entry<>(entry.getKey(), entry.getValue()))
        .iterator();
  }
}
