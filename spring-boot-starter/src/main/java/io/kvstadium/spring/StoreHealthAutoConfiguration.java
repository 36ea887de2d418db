package io.kvstadium.spring;

import io.kvstadium.store.Store;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Reports the store's health to the actuator, if there is one. */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Store.class)
public class StoreHealthAutoConfiguration {
  /** Up as long as the store answers. */
  @Bean
  @ConditionalOnMissingBean(name = "storeHealthIndicator")
  HealthIndicator storeHealthIndicator(Store store) {
    return new StoreHealth(store);
  }
}
