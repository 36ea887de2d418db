package io.kvstadium.spring;

import io.kvstadium.store.Store;

/** Told of the store that the starter opened; here, because Micrometer's classes may be missing. */
interface StoreGauges {
  void watch(Store store);
}
