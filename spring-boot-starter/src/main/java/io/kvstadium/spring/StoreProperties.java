package io.kvstadium.spring;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code kvstadium.*}.
 *
 * @param url the store, as for {@link io.kvstadium.store.Stadium#open(String)}
 * @param createIfMissing whether a missing store is created
 * @param readOnly whether the store is opened read-only
 */
@ConfigurationProperties("kvstadium")
public record StoreProperties(
    String url,
    @DefaultValue("true") boolean createIfMissing,
    @DefaultValue("false") boolean readOnly) {}
