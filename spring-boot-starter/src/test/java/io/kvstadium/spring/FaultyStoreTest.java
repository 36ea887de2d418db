package io.kvstadium.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.testing.StoreFaults;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** The example of docs/guide.md: an application of Spring's over a store whose calls fail. */
@SpringBootTest(properties = "kvstadium.url=memory:")
class FaultyStoreTest {
  private final Visits visits;
  private final StoreFaults faults;

  FaultyStoreTest(@Autowired Visits visits, @Autowired StoreFaults faults) {
    this.visits = visits;
    this.faults = faults;
  }

  /** What is tested. */
  record Visits(Table<String, Long> table) {
    long count(String page) {
      return table.increment(page, 1);
    }
  }

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Visits visits(Store store) {
      return new Visits(store.table("visits", Codec.STRING, Codec.LONG));
    }
  }

  @TestConfiguration
  static class Faulty {
    @Bean
    StoreFaults faults() {
      return new StoreFaults();
    }

    @Bean
    Store store(StoreFaults faults) {
      return faults.on(Stadium.open("memory:"));
    }
  }

  @Test
  void aVisitThatCouldNotBeWrittenIsNotCounted() {
    visits.count("home");

    faults.failAt(1);

    assertThatThrownBy(() -> visits.count("home")).isInstanceOf(StoreIoException.class);
    assertThat(visits.count("home")).isEqualTo(2);
  }
}
