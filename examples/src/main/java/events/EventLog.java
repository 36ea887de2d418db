package events;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Events in order of arrival, and by source, on any engine with ordered scans, several tables and
 * transactions. The argument is the store's URL.
 */
public final class EventLog implements AutoCloseable {
  /** What happened, and where. */
  public record Event(String source, String text) {}

  /** A position in the second order. */
  private record BySource(String source, long number) {}

  private static final Codec<BySource> BY_SOURCE = Codec.record(BySource.class);

  private final Store store;
  private final Table<Long, Event> events;
  private final Table<BySource, Boolean> index; // the key is everything
  private final Table<String, Long> counters;

  public EventLog(String url) {
    this.store =
        Stadium.open(
            url,
            OpenOptions.DEFAULT.require(
                Capability.ORDERED_SCAN, Capability.TABLES, Capability.TRANSACTION));
    this.events = store.table("events", Codec.LONG, Codec.record(Event.class));
    this.index = store.table("by-source", BY_SOURCE, Codec.BOOLEAN);
    this.counters = store.table("counters", Codec.STRING, Codec.LONG);
  }

  /**
   * Appends an event. Its number, the event and its index entry are written together or not at all;
   * of two concurrent appends, one gets the next number.
   */
  public long append(String source, String text) {
    return store.transact(tx -> {
      long number = tx.on(counters).increment("next", 1);
      tx.on(events).put(number, new Event(source, text));
      tx.on(index).put(new BySource(source, number), true);
      return number;
    });
  }

  /** Returns the events from a number on, oldest first. */
  public List<Entry<Long, Event>> since(long number) {
    try (Stream<Entry<Long, Event>> found = events.scan(Range.atLeast(number)).stream()) {
      return found.toList();
    }
  }

  /** Returns the last events of a source, newest first. */
  public List<Event> latest(String source, int most) {
    Range<BySource> newest = Range.prefix(BY_SOURCE, source).reverse().limit(most);
    List<Long> numbers = new ArrayList<>();
    try (var places = index.scan(newest.keysOnly())) {
      while (places.next()) {
        numbers.add(places.key().number());
      }
    }
    return events.multiGet(numbers).stream().flatMap(Stream::ofNullable).toList();
  }

  /** Forgets all events below a number; returns how many there were. */
  public long prune(long number) {
    return store.transact(tx -> {
      try (var old = tx.on(events).scan(Range.lessThan(number)).stream()) {
        for (Entry<Long, Event> event : old.toList()) {
          tx.on(index).delete(new BySource(event.value().source(), event.key()));
        }
      }
      return tx.on(events).delete(Range.lessThan(number));
    });
  }

  @Override
  public void close() {
    store.close();
  }

  /** Writes a small log, from four threads, and prunes it. */
  public static void main(String[] arguments) throws InterruptedException {
    String url = arguments.length > 0 ? arguments[0] : "memory:";
    try (EventLog log = new EventLog(url)) {
      List<Thread> sources =
          Stream.of("door", "lift", "roof", "yard")
              .map(source ->
                  Thread.ofPlatform()
                      .start(() -> {
                        for (int i = 1; i <= 25; i++) {
                          log.append(source, source + " " + i);
                        }
                      }))
              .toList();
      for (Thread source : sources) {
        source.join();
      }
      List<Long> numbers = log.since(0).stream().map(Entry::key).toList();
      System.out.println(
          "events: "
              + numbers.size()
              + ", numbered "
              + numbers.getFirst()
              + " to "
              + numbers.getLast());
      System.out.println("last of the lift: " + log.latest("lift", 2));
      System.out.println("forgotten: " + log.prune(91));
      System.out.println("left: " + log.since(0).size());
    }
  }
}
