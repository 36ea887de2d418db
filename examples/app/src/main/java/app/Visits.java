package app;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;

/** Counts visits of pages. */
public final class Visits {
  private final Table<String, Long> visits;

  public Visits(Store store) {
    visits = store.table("visits", Codec.STRING, Codec.LONG);
  }

  /** Returns the number of visits, with this one. */
  public long count(String page) {
    return visits.increment(page, 1);
  }

  /** Counts its own runs in the store named by the argument. */
  public static void main(String[] arguments) {
    String url = arguments.length > 0 ? arguments[0] : "sqlite:data/visits";
    try (Store store = Stadium.open(url)) {
      System.out.println("visit " + new Visits(store).count("home") + " in " + store.engine());
    }
  }
}
