package io.kvstadium.spring;

import io.kvstadium.store.Store;
import io.kvstadium.store.StoreStatus;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** Down when the store is closed, or refuses calls because a write failed. */
final class StoreHealth extends AbstractHealthIndicator {
  private final Store store;

  StoreHealth(Store store) {
    this.store = store;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    StoreStatus status = store.status();
    builder
        .status(status.state() == StoreStatus.State.OPEN ? Status.UP : Status.DOWN)
        .withDetail("state", status.state())
        .withDetail("engine", store.engine().name())
        .withDetail("durability", store.durability().word())
        .withDetail("openHandles", status.openHandles());
    if (status.failure() != null) {
      builder.withException(status.failure());
    }
  }
}
