package io.kvstadium.engine.mvstore;

import io.kvstadium.engine.mvstore.AdoptedType.Form;
import io.kvstadium.engine.mvstore.AdoptedType.Kind;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Which maps of another program's file are tables: those whose types are given by options, because
 * the file does not record them.
 */
final class Adoption {
  private final Map<String, MvstoreTable> tables = new HashMap<>();
  private final Map<String, String> unreadable = new HashMap<>();

  private Adoption() {}

  /** Opens the maps and looks at the ends of each. */
  static Adoption of(MVStore store, StoreConfig config) {
    Adoption adoption = new Adoption();
    for (String name : store.getMapNames()) {
      adoption.add(store, name, config.tableOptions(name));
    }
    return adoption;
  }

  Map<String, MvstoreTable> tables() {
    return tables;
  }

  Map<String, String> unreadable() {
    return unreadable;
  }

  private void add(MVStore store, String name, Options options) {
    if (!options.has(MvstoreOptions.KEY) || !options.has(MvstoreOptions.VALUE)) {
      unreadable.put(
          name,
          ("the file does not record the types of its keys and values: give those that its program"
                  + " opened it with, as table.%s.key= and table.%s.value=, each bytes, string,"
                  + " long or object, which is MVStore's if none was given")
              .formatted(name, name));
      return;
    }
    AdoptedType keys = type(options, MvstoreOptions.KEY);
    AdoptedType values = type(options, MvstoreOptions.VALUE);
    MVMap.Builder<byte[], byte[]> builder = new MVMap.Builder<>();
    builder.setKeyType(keys);
    builder.setValueType(values);
    try {
      MVMap<byte[], byte[]> map = store.openMap(name, builder);
      byte[] first = map.firstKey(); // settles the kind of the keys
      byte[] last = map.lastKey();
      if (first != null && last != null) {
        map.get(first);
        if (keys.compare(first, last) > 0) {
          throw new IllegalArgumentException("its last key is below its first");
        }
      }
      tables.put(name, new MvstoreTable(name, map, order(keys.kind(), options)));
    } catch (MVStoreException | IllegalArgumentException | IndexOutOfBoundsException e) {
      unreadable.put(
          name,
          "it cannot be read as key="
              + options.text(MvstoreOptions.KEY)
              + " and value="
              + options.text(MvstoreOptions.VALUE)
              + " ("
              + e.getMessage()
              + "): give the types that its program opened it with");
    }
  }

  private static AdoptedType type(Options options, String option) {
    return new AdoptedType(Form.valueOf(options.text(option).toUpperCase(Locale.ROOT)));
  }

  private static @Nullable String order(@Nullable Kind kind, Options options) {
    if (kind == Kind.TEXT) {
      return "that of Java's strings";
    }
    return kind == Kind.BYTES && options.text(MvstoreOptions.KEY).equals("object")
        ? "that of MVStore's arrays"
        : null;
  }
}
