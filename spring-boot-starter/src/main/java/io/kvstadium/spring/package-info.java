/**
 * A {@link io.kvstadium.store.Store} as a bean of a Spring Boot application. {@code kvstadium.url}
 * names it, an engine on the class path opens it, and it is closed with the application's context.
 * Like every store it is thread-safe.
 */
@NullMarked
package io.kvstadium.spring;

import org.jspecify.annotations.NullMarked;
