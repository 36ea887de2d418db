package io.kvstadium.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import io.kvstadium.micrometer.StoreMetrics;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.codec.Codec;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;

class StoreAutoConfigurationTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  StoreAutoConfiguration.class,
                  StoreHealthAutoConfiguration.class,
                  StoreMetricsAutoConfiguration.class));

  private final ApplicationContextRunner named = runner.withPropertyValues("kvstadium.url=memory:");

  /** With what the actuator brings for meters. */
  private final ApplicationContextRunner withRegistry =
      named.withConfiguration(
          AutoConfigurations.of(
              MetricsAutoConfiguration.class,
              CompositeMeterRegistryAutoConfiguration.class,
              SimpleMetricsExportAutoConfiguration.class));

  @Test
  void theNamedStoreIsOpenAsLongAsTheContext() {
    AtomicReference<Store> kept = new AtomicReference<>();

    named.run(context -> {
      Store store = context.getBean(Store.class);
      kept.set(store);
      store.table("visits", Codec.STRING, Codec.LONG).put("home", 1L);
    });

    assertThatThrownBy(() -> kept.get().table()).isInstanceOf(ClosedException.class);
  }

  @Test
  void withoutAUrlThereIsNoStoreAndNoHealth() {
    runner.run(context ->
        assertThat(context).doesNotHaveBean(Store.class).doesNotHaveBean(HealthIndicator.class));
  }

  @Test
  void aStoreOfTheApplicationsOwnIsLeftAlone() {
    named
        .withBean("mine", Store.class, () -> Stadium.open("memory:"))
        .run(context -> assertThat(context).hasSingleBean(Store.class).hasBean("mine"));
  }

  @Test
  void aBadUrlEndsTheStartWithTheLibrarysWords() {
    runner
        .withPropertyValues("kvstadium.url=sqlite:data/app")
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("kv-stadium-engine-sqlite"));
  }

  @Test
  void healthIsUpAndDownWithTheStore() {
    named.run(context -> {
      HealthIndicator health = context.getBean(HealthIndicator.class);
      assertThat(health.health().getStatus()).isEqualTo(Status.UP);
      assertThat(health.health().getDetails()).containsEntry("engine", "memory");

      context.getBean(Store.class).close();

      assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    });
  }

  @Test
  void eachOfTwoStoresHasItsHealth() {
    runner
        .withBean("orders", Store.class, () -> Stadium.open("memory:"))
        .withBean("cache", Store.class, () -> Stadium.open("memory:"))
        .run(context -> {
          context.getBean("cache", Store.class).close();

          assertThat(context.getBean(CompositeHealthContributor.class).stream())
              .extracting(
                  HealthContributors.Entry::name,
                  found -> ((HealthIndicator) found.contributor()).health().getStatus())
              .containsExactlyInAnyOrder(tuple("orders", Status.UP), tuple("cache", Status.DOWN));
        });
  }

  @Test
  void noHealthWithoutTheActuator() {
    named
        .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
        .run(context ->
            assertThat(context).hasSingleBean(Store.class).doesNotHaveBean("storeHealthIndicator"));
  }

  @Test
  void metersOfTheStoreAreThereWithTheActuatorsRegistry() {
    withRegistry.run(context -> {
      use(context.getBean(Store.class));

      assertThat(meters(context.getBean(MeterRegistry.class)))
          .contains("stadium.calls", "stadium.bytes", "stadium.size", "stadium.handles");
    });
  }

  @Test
  void metricsAndListenersOfTheApplicationsOwnAreAttached() {
    List<String> heard = new ArrayList<>();
    StoreListener listener =
        new StoreListener() {
          @Override
          public void called(Call call, String table, long nanoseconds, long bytes) {
            heard.add(table);
          }
        };
    MeterRegistry mine = new SimpleMeterRegistry();

    named
        .withBean(StoreListener.class, () -> listener)
        .withBean(StoreMetrics.class, () -> new StoreMetrics(mine, Tags.of("app", "shop")))
        .run(context -> {
          use(context.getBean(Store.class));

          assertThat(context).hasSingleBean(StoreMetrics.class);
          assertThat(heard).contains("visits");
          assertThat(mine.get("stadium.calls").tag("app", "shop").timers()).isNotEmpty();
          assertThat(meters(mine)).contains("stadium.size", "stadium.handles");
        });
  }

  @Test
  void noMetersWithoutARegistryOrMicrometerOrForAStoreOfTheApplicationsOwn() {
    named.run(context -> assertThat(context).doesNotHaveBean(StoreMetrics.class));
    withRegistry
        .withClassLoader(new FilteredClassLoader(StoreMetrics.class))
        .run(context ->
            assertThat(context).hasSingleBean(Store.class).doesNotHaveBean("storeMetrics"));
    withRegistry
        .withBean("mine", Store.class, () -> Stadium.open("memory:"))
        .run(context -> assertThat(context).doesNotHaveBean(StoreMetrics.class));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"sqlite:data/app", "nonsense", "memory:?durability=perhaps", "memory:?shared=1"})
  void aStoreThatCannotBeOpenedIsDescribedInsteadOfAStackTrace(String url) {
    SpringApplication application = new SpringApplication(StoreAutoConfiguration.class);

    Throwable failure = catchThrowable(() -> application.run("--kvstadium.url=" + url));

    assertThat(Reported.take())
        .singleElement()
        .satisfies(analysis -> {
          assertThat(analysis.getDescription())
              .contains(
                  "kvstadium.url", NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
          assertThat(analysis.getAction()).isNotBlank();
        });
  }

  @Test
  void whoeverHasTheStoreLockedIsToBeStopped() {
    LockedException locked = new LockedException("data/app is open in process 17");

    FailureAnalysis analysis =
        new StoreNotOpenedFailureAnalyzer()
            .analyze(new BeanCreationException("store", "?", new StoreNotOpenedException(locked)));

    assertThat(analysis).isNotNull();
    assertThat(analysis.getDescription()).contains("process 17");
    assertThat(analysis.getAction()).contains("process");
  }

  private static void use(Store store) {
    store.table("visits", Codec.STRING, Codec.LONG).put("home", 1L);
  }

  private static Set<String> meters(MeterRegistry registry) {
    return registry.getMeters().stream()
        .map(meter -> meter.getId().getName())
        .collect(Collectors.toSet());
  }

  @Test
  void springBootFindsThemAll() {
    assertThat(
            ImportCandidates.load(
                org.springframework.boot.autoconfigure.AutoConfiguration.class,
                getClass().getClassLoader()))
        .contains(
            StoreAutoConfiguration.class.getName(),
            StoreHealthAutoConfiguration.class.getName(),
            StoreMetricsAutoConfiguration.class.getName());
  }
}
