package app;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.Table;

/** Counts its own runs in the store named by the argument. */
public final class Visits {
  private Visits() {}

  public static void main(String[] arguments) {
    String url = arguments.length > 0 ? arguments[0] : "sqlite:data/visits";
    try (Store store = Stadium.open(url)) {
      Table<String, Long> visits = store.table("visits", Codec.STRING, Codec.LONG);
      visits.increment("home", 1);
      System.out.println("visit " + visits.get("home") + " in " + store.engine());
    }
  }
}
