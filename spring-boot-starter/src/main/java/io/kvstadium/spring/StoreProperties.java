package io.kvstadium.spring;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What {@code kvstadium.*} says.
 *
 * @param url the store, as for {@link io.kvstadium.store.Stadium#open(String)}
 * @param createIfMissing whether a store that is not there is made
 * @param readOnly whether nothing may be changed
 */
@ConfigurationProperties("kvstadium")
public record StoreProperties(
    String url,
    @DefaultValue("true") boolean createIfMissing,
    @DefaultValue("false") boolean readOnly) {}
