package io.kvstadium.kotlin

import io.kvstadium.store.codec.Codec
import io.kvstadium.store.Range
import io.kvstadium.store.Stadium
import io.kvstadium.store.Store
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test

class StoresTest {
  private val store: Store = Stadium.open("memory:")

  @AfterEach fun close() = store.close()

  @Test
  fun `a table is written like a map`() {
    val visits = store.table<String, Long>("visits")

    visits["home"] = (visits["home"] ?: 0) + 1
    visits["about"] = 7L
    visits -= "about"

    assertThat(visits["home"]).isEqualTo(1L)
    assertThat("home" in visits).isTrue()
    assertThat("about" in visits).isFalse()
    assertThat(store.table("visits", Codec.STRING, Codec.LONG).get("home")).isEqualTo(1L)
  }

  @Test
  fun `a scan is a sequence and is closed after an early end`() {
    val pages = store.table<Int, String>("pages")
    store.write { batch -> (1..9).forEach { batch.put(pages, it, "page $it") } }

    val first = pages.scan(Range.all<Int>().reverse()) { it.map { (key, _) -> key }.take(2).toList() }

    assertThat(first).containsExactly(9, 8)
    assertThat(pages.scan(Range.between(3, 5)) { it.map { (key, value) -> key to value }.toList() })
        .containsExactly(3 to "page 3", 4 to "page 4")
  }

  @Test
  fun `each type that the library knows has its codec, others are refused`() {
    assertThat(codec<ByteArray>()).isSameAs(Codec.BYTES)
    assertThat(codec<Boolean>()).isSameAs(Codec.BOOLEAN)
    assertThat(codec<Double>()).isSameAs(Codec.DOUBLE)
    assertThat(codec<java.time.Instant>()).isSameAs(Codec.INSTANT)
    assertThat(codec<java.util.UUID>()).isSameAs(Codec.UUID)
    assertThatThrownBy { store.table<String, List<Int>>("lists") }
        .isInstanceOf(IllegalArgumentException::class.java)
        .hasMessageContaining("List")
  }
}
