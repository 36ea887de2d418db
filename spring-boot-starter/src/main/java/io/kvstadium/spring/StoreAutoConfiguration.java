package io.kvstadium.spring;

import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Opens the store named by {@code kvstadium.url}, unless the application has its own. */
@AutoConfiguration
@ConditionalOnProperty("kvstadium.url")
@EnableConfigurationProperties(StoreProperties.class)
public class StoreAutoConfiguration {
  /** The store; closed with the context, after the beans that use it. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Store store(StoreProperties properties) {
    return Stadium.open(
        properties.url(),
        OpenOptions.DEFAULT
            .createIfMissing(properties.createIfMissing())
            .readOnly(properties.readOnly()));
  }
}
