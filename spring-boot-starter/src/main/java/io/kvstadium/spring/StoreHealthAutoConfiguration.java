package io.kvstadium.spring;

import io.kvstadium.store.Store;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Reports the store's health to the actuator, if there is one. */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Store.class)
public class StoreHealthAutoConfiguration {
  /** Up as long as the store answers; of several stores, each by the name of its bean. */
  @Bean
  @ConditionalOnMissingBean(name = "storeHealthIndicator")
  HealthContributor storeHealthIndicator(Map<String, Store> stores) {
    return stores.size() == 1
        ? new StoreHealth(stores.values().iterator().next())
        : CompositeHealthContributor.fromMap(stores, StoreHealth::new);
  }
}
