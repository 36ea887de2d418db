package io.kvstadium.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.codec.Codec;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class StoreAutoConfigurationTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  StoreAutoConfiguration.class, StoreHealthAutoConfiguration.class));

  private final ApplicationContextRunner named = runner.withPropertyValues("kvstadium.url=memory:");

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
  void springBootFindsBoth() {
    assertThat(
            ImportCandidates.load(
                org.springframework.boot.autoconfigure.AutoConfiguration.class,
                getClass().getClassLoader()))
        .contains(
            StoreAutoConfiguration.class.getName(), StoreHealthAutoConfiguration.class.getName());
  }
}
