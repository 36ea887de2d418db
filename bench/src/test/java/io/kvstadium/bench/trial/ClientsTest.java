package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.fake.MapStore;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Durability;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Engines;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients in threads instead of processes, on one store that is not theirs. */
class ClientsTest {
  private static final int COUNT = 3;

  @TempDir Path directory;

  /** A map that stays as it is when it is closed, and perhaps loses half of the updates. */
  private static final class Server implements Engine {
    private final FakeEngine declared = FakeEngine.able("served");
    private final AtomicInteger puts = new AtomicInteger();
    private final MapStore map;

    Server(boolean forgets) {
      this.map =
          new MapStore(declared.capabilities(), Durability.NONE) {
            @Override
            public void put(MapTable table, byte[] key, byte[] value) {
              if (forgets && puts.incrementAndGet() > Plans.RECORDS + 300) {
                return;
              }
              super.put(table, key, value);
            }

            @Override
            public void close() {}
          };
    }

    @Override
    public EngineInfo info() {
      return declared.info();
    }

    @Override
    public @Nullable String directory(String location, Options options) {
      return null;
    }

    @Override
    public boolean exists(StoreConfig config) {
      return false;
    }

    @Override
    public EngineStore<?> open(StoreConfig config) {
      return map;
    }
  }

  /** The parent's part: the last one to arrive lets all continue; a failure ends it for all. */
  private static final class Parent {
    private final List<Clients> clients = new ArrayList<>();
    private final List<Message.@Nullable Arrived> here =
        new ArrayList<>(Collections.nCopies(COUNT, null));
    private boolean failed;

    Parent() {
      for (int i = 0; i < COUNT; i++) {
        int client = i;
        clients.add(
            new Clients(
                client,
                COUNT,
                message -> {
                  if (message instanceof Message.Arrived at) {
                    arrived(client, at);
                  }
                }));
      }
    }

    private synchronized void arrived(int client, Message.Arrived at) {
      failed |= at.step().equals(Message.Arrived.FAILED);
      here.set(client, at);
      List<Message.Arrived> all = here.stream().filter(each -> each != null).toList();
      if (failed) {
        clients.get(client).answer(List.of());
        for (int i = 0; i < COUNT; i++) {
          if (here.get(i) != null && i != client) {
            clients.get(i).answer(List.of());
          }
          here.set(i, null);
        }
      } else if (all.size() == COUNT) {
        assertThat(all).extracting(Message.Arrived::step).containsOnly(at.step());
        Collections.fill(here, null);
        clients.forEach(each -> each.answer(all.stream().map(Message.Arrived::said).toList()));
      }
    }
  }

  private List<TrialResult> run(Server server, List<PhaseSpec> phases) throws Exception {
    TrialPlan made = Plans.of(directory, "served", Access.SINGLE, Map.of());
    TrialPlan plan =
        Plans.with(Plans.at(made, made.configuration().at("//host/db").by(COUNT)), phases);
    Engines engines = Engines.of(List.of(server));
    Parent parent = new Parent();
    try (ExecutorService threads = Executors.newFixedThreadPool(COUNT)) {
      List<Future<TrialResult>> running = new ArrayList<>();
      for (Clients each : parent.clients) {
        running.add(
            threads.submit(
                () -> new Trial(plan, engines, _ -> {}, each).run(WorksetSource.of(plan))));
      }
      List<TrialResult> results = new ArrayList<>();
      for (Future<TrialResult> each : running) {
        results.add(each.get());
      }
      return results;
    }
  }

  private static PhaseSpec phase(Operation operation, long operations, String name, int threads) {
    return Plans.phase(operation, operations, 0, name).withThreads(threads);
  }

  private static long operations(List<TrialResult> clients, String phase) {
    return clients.stream()
        .flatMap(each -> each.phases().stream())
        .filter(each -> each.name().equals(phase))
        .mapToLong(PhaseResult::operations)
        .sum();
  }

  @Test
  void clientsShareThePhasesAndCheckWhatTheOthersWrote() throws Exception {
    // given phases of one, two and three threads, which divide the keys in different ways
    Server server = new Server(false);
    List<PhaseSpec> phases =
        List.of(
            phase(Operation.INSERT, 0, "load", 1),
            phase(Operation.UPDATE, 700, "update", 2),
            phase(Operation.GET, 900, "read", 1),
            phase(Operation.UPDATE, 700, "update again", 3),
            phase(Operation.SCAN_ALL, 0, "scan", 1),
            phase(Operation.DELETE, 100, "delete", 2),
            phase(Operation.SCAN_ALL, 0, "rest", 1));

    // when
    List<TrialResult> results = run(server, phases);

    // then
    assertThat(results).allSatisfy(each -> assertThat(each.failure()).isNull());
    assertThat(operations(results, "load")).isEqualTo(Plans.RECORDS);
    assertThat(operations(results, "update")).isEqualTo(700);
    assertThat(operations(results, "read")).isEqualTo(900);
    assertThat(operations(results, "scan")).isEqualTo(COUNT * (long) Plans.RECORDS);
    assertThat(operations(results, "delete")).isEqualTo(100);
    assertThat(operations(results, "rest")).isEqualTo(COUNT * (Plans.RECORDS - 100L));
    assertThat(results).allSatisfy(each -> assertThat(each.network().roundTripNanos()).hasSize(1));
  }

  @Test
  void whatOneClientWroteInVainAnyOneFindsAndAllEnd() throws Exception {
    List<TrialResult> results =
        run(
            new Server(true),
            List.of(
                phase(Operation.INSERT, 0, "load", 1),
                phase(Operation.UPDATE, 0, "update", 1),
                phase(Operation.SCAN_ALL, 0, "scan", 1),
                phase(Operation.GET, 0, "read", 1)));

    assertThat(results).allSatisfy(each -> assertThat(each.failure()).isNotNull());
    assertThat(results)
        .extracting(TrialResult::failure)
        .anyMatch(each -> each.contains("gave other bytes than were written"));
  }

  @Test
  void changesAreWhatOneWrote() {
    // given
    Population own = new Population(20_000, 20_100);
    Population other = new Population(20_000, 20_100);
    own.generations().set(5, 2);
    other.generations().set(5, 2);
    Changes changes = new Changes(own);

    // when
    own.generations().set(5, 3);
    own.generations().set(19_999, Generations.DELETED);
    Population.Adder adder = own.adder(0, 1);
    long _ = adder.add();
    own.add(adder);
    Changes.apply(changes.text(0), other);

    // then
    assertThat(other.generations().get(5)).isEqualTo(3);
    assertThat(other.live()).isEqualTo(20_000);
    assertThat(other.frontier()).isEqualTo(20_001);
    assertThat(Arrays.asList(other.added(), own.added())).containsOnly(1L);
  }
}
