package sessions;

import io.kvstadium.micrometer.StoreMetrics;
import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who is logged in, and how often each user has logged in, on any engine that writes and scans
 * several tables. The argument is the store's URL; after it, perhaps, a number of requests that are
 * made up, for a recording.
 */
public final class SessionStore implements AutoCloseable {
  private static final Duration IDLE = Duration.ofMinutes(30);

  /**
   * The stored data of a session.
   *
   * @param begun seconds since 1970
   */
  public record Session(String user, long begun) {}

  private final Store store;
  private final InstantSource clock;
  private final ExpiringTable<UUID, Session> sessions;
  private final Table<String, Long> logins;

  public SessionStore(String url, InstantSource clock, MeterRegistry registry) {
    StoreMetrics metrics = new StoreMetrics(registry, Tags.of("store", "sessions"));
    this.store = Stadium.open(url, OpenOptions.DEFAULT.listener(metrics));
    metrics.watch(store);
    this.clock = clock;
    this.sessions =
        ExpiringTable.of(store, "sessions", Codec.UUID, Codec.record(Session.class), IDLE, clock);
    this.logins = store.table("logins", Codec.STRING, Codec.LONG);
  }

  /** Begins a session and counts it. */
  public UUID login(String user) {
    UUID token = UUID.randomUUID();
    sessions.put(token, new Session(user, clock.instant().getEpochSecond()));
    logins.increment(user, 1);
    return token;
  }

  /** Returns the session's user, or {@code null} if it is over; each request extends it. */
  public @Nullable String user(UUID token) {
    if (!sessions.touch(token)) {
      return null;
    }
    Session session = sessions.get(token);
    return session == null ? null : session.user();
  }

  public void logout(UUID token) {
    sessions.delete(token);
  }

  /** Returns how often a user has logged in. */
  public long logins(String user) {
    return logins.getOrDefault(user, 0L);
  }

  /** Reclaims the space of sessions that are over; for a scheduler to call, every minute or so. */
  public long sweep() {
    return sessions.sweep();
  }

  /** Returns the current number of sessions. */
  public long active() {
    try (var present = sessions.stream(Range.all())) {
      return present.count();
    }
  }

  @Override
  public void close() {
    store.close();
  }

  /** Simulates an hour of a site. */
  public static void main(String[] arguments) {
    String url = arguments.length > 0 ? arguments[0] : "memory:";
    Instant[] now = {Instant.parse("2026-01-31T09:00:00Z")};
    MeterRegistry registry = new SimpleMeterRegistry();
    try (SessionStore site = new SessionStore(url, () -> now[0], registry)) {
      UUID ann = site.login("ann");
      UUID bob = site.login("bob");
      site.logout(site.login("cy"));
      System.out.println("logged in: " + site.active());
      now[0] = now[0].plus(Duration.ofMinutes(20));
      System.out.println("ann after 20 minutes: " + site.user(ann));
      now[0] = now[0].plus(Duration.ofMinutes(20));
      System.out.println("ann after 40 minutes: " + site.user(ann));
      System.out.println("bob, who did nothing: " + site.user(bob));
      System.out.println("logged in: " + site.active());
      site.login("ann");
      System.out.println("logins of ann: " + site.logins("ann"));
      System.out.println(
          "login counters were written "
              + registry.get("stadium.calls").tags("call", "put", "table", "logins").timer().count()
              + " times");
      if (arguments.length > 1) {
        visit(site, Integer.parseInt(arguments[1]));
      }
    }
  }

  /** Requests of users of whom some come often; one in fifty logs in, and one in a hundred out. */
  private static void visit(SessionStore site, int requests) {
    SplittableRandom random = new SplittableRandom(1);
    List<UUID> tokens = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      int user = (int) (20_000 * Math.pow(random.nextDouble(), 3));
      if (tokens.size() < 50_000 || random.nextInt(50) == 0) {
        tokens.add(site.login("user " + user));
      } else if (random.nextInt(100) == 0) {
        site.logout(tokens.get(random.nextInt(tokens.size())));
      } else {
        site.user(tokens.get((int) (tokens.size() * Math.pow(random.nextDouble(), 3))));
      }
    }
  }
}
