package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreUrlTest {
  @Test
  void whatIsMadeFromPartsIsReadAsThoseParts() {
    StoreUrl url =
        StoreUrl.of("rocksdb", "data/my app").with("note", "a+b & 100 %=ü").with("cache", "8m");

    assertThat(url)
        .hasToString("rocksdb:data/my app?note=a%2Bb%20%26%20100%20%25%3D%C3%BC&cache=8m");
    assertThat(StoreUrl.parse(url.toString())).isEqualTo(url);
  }

  @Test
  void anOptionTakesThePlaceOfItsNamesake() {
    StoreUrl url = StoreUrl.parse("lmdb:d?durability=power&map_size=1g").with("durability", "none");

    assertThat(url.options()).isEqualTo(Map.of("durability", "none", "map_size", "1g"));
    assertThat(StoreUrl.of("memory", "")).hasToString("memory:");
  }

  @Test
  void whatIsNoUrlIsRefused() {
    for (String text : new String[] {"data", "Rocks:d", "a:d?x", "a:d?x=1&x=2", "a:d?x=%zz"}) {
      assertThatThrownBy(() -> StoreUrl.parse(text))
          .as(text)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining(text);
    }
  }
}
