package io.kvstadium.spring;

import io.kvstadium.store.StadiumException;

/** The store of {@code kvstadium.url} cannot be opened: what the failure analyzer looks for. */
final class StoreNotOpenedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StoreNotOpenedException(StadiumException cause) {
    super(cause.getMessage(), cause);
  }
}
