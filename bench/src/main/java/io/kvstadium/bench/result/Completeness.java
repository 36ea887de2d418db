package io.kvstadium.bench.result;

import io.kvstadium.store.BadArgumentException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds {@code null} values in a file where the records do not allow them, so that a damaged file
 * is refused when it is read and not later in a report.
 */
final class Completeness {
  private Completeness() {}

  static void check(Record value, String where) {
    check(value, "", where);
  }

  private static void check(Record value, String path, String where) {
    for (RecordComponent component : value.getClass().getRecordComponents()) {
      String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
      Object field = read(component, value);
      if (field == null && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        throw new BadArgumentException(
            where + ": not a results file: " + name + " is null; repair the file or measure again");
      }
      if (field instanceof Record inner) {
        check(inner, name, where);
      } else if (field instanceof List<?> list) {
        for (int i = 0; i < list.size(); i++) {
          if (list.get(i) instanceof Record inner) {
            check(inner, name + "[" + i + "]", where);
          }
        }
      }
    }
  }

  private static @Nullable Object read(RecordComponent component, Record value) {
    try {
      return component.getAccessor().invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("record component " + component + " cannot be read", e);
    }
  }
}
