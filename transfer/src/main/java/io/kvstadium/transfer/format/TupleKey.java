package io.kvstadium.transfer.format;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.internal.Nearest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The key that several columns are together: a tuple, in the order of the first, then of the second
 * and so on, as {@link Codec#tuple} writes one of byte strings.
 */
public final class TupleKey {
  private TupleKey() {}

  /** The names in a text: those of several are separated by commas. */
  public static List<String> names(String asked) {
    return List.of(asked.split("\\s*,\\s*", -1));
  }

  /**
   * The places of the columns that are asked for; a column whose own name has a comma comes first.
   *
   * @param where the place, for messages
   * @throws BadArgumentException if one is not there, with what there is, or there twice
   */
  public static List<Integer> columns(String asked, List<String> header, String where) {
    List<Integer> places = new ArrayList<>();
    for (String name : header.contains(asked) ? List.of(asked) : names(asked)) {
      int place = column(name, header, where);
      if (places.contains(place)) {
        throw new BadArgumentException(
            where + ": the column '" + name + "' is asked for twice; name it once");
      }
      places.add(place);
    }
    return places;
  }

  /**
   * The place of one column.
   *
   * @throws BadArgumentException as {@link #columns} does
   */
  public static int column(String name, List<String> header, String where) {
    List<String> found = header.stream().filter(name::equals).toList();
    if (found.isEmpty()) {
      found = header.stream().filter(name::equalsIgnoreCase).distinct().toList();
    }
    if (found.isEmpty()) {
      throw new BadArgumentException(
          where
              + ": there is no column '"
              + name
              + "'"
              + Nearest.hint(name, header)
              + "; there are "
              + RecordReader.shown(header));
    }
    if (found.size() > 1) {
      throw new BadArgumentException(
          where + ": several columns are called '" + name + "'; rename all but one");
    }
    return header.indexOf(found.getFirst());
  }

  /** The key of these parts; that of a single one is the part itself. */
  public static byte[] of(List<byte[]> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    return Codec.tuple(Collections.nCopies(parts.size(), Codec.BYTES)).encode(List.copyOf(parts));
  }
}
