package app;

import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Stadium;

/** An application in its own module. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    try (var store = Stadium.open(arguments[0])) {
      var visits = store.table("visits", Codec.STRING, Codec.LONG);
      visits.increment("home", 1);
      System.out.println(Main.class.getModule() + " counts " + visits.get("home"));
      System.out.println(store.getClass().getModule());
      for (var engine : Engines.installed().all()) {
        System.out.println(engine.info().name() + " in " + engine.getClass().getModule());
      }
    }
  }
}
