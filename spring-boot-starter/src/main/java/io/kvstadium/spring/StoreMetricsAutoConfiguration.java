package io.kvstadium.spring;

import io.kvstadium.micrometer.StoreMetrics;
import io.kvstadium.store.Store;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Meters of the store that the starter opens, if {@code kv-stadium-micrometer} and a registry are
 * there.
 */
@AutoConfiguration(
    before = StoreAutoConfiguration.class,
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({MeterRegistry.class, StoreMetrics.class})
@ConditionalOnProperty("kvstadium.url")
@ConditionalOnMissingBean(Store.class)
public class StoreMetricsAutoConfiguration {
  /** With the tag {@code store=store}, the name of the bean; your own bean replaces it. */
  @Bean
  @ConditionalOnBean(MeterRegistry.class)
  @ConditionalOnMissingBean
  StoreMetrics storeMetrics(MeterRegistry registry) {
    return new StoreMetrics(registry, Tags.of("store", "store"));
  }

  @Bean
  StoreGauges storeGauges(ObjectProvider<StoreMetrics> metrics) {
    return store -> metrics.forEach(found -> found.watch(store));
  }
}
