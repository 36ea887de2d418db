package io.kvstadium.spring;

import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import org.springframework.beans.factory.ObjectProvider;
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
  /** The store, with all listeners among the beans; closed after the beans that use it. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Store store(
      StoreProperties properties,
      ObjectProvider<StoreListener> listeners,
      ObjectProvider<StoreGauges> gauges) {
    OpenOptions options =
        OpenOptions.DEFAULT
            .createIfMissing(properties.createIfMissing())
            .readOnly(properties.readOnly());
    Listeners all = new Listeners(listeners.orderedStream().toList());
    Store store;
    try {
      store =
          Stadium.open(properties.url(), all.each().isEmpty() ? options : options.listener(all));
    } catch (StadiumException e) {
      throw new StoreNotOpenedException(e);
    }
    gauges.ifAvailable(found -> found.watch(store));
    return store;
  }
}
