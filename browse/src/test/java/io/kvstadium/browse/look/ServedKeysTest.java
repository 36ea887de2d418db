package io.kvstadium.browse.look;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.browse.look.ServedKeys.Element;
import io.kvstadium.browse.look.ServedKeys.Header;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Entries as a server wrote them, byte by byte as its format's description has them. */
class ServedKeysTest {
  private static final String ONE = "0000000000000001";

  @Test
  void aKeyHasItsTypeItsTimeAndItsElements() {
    try (Store store = Engines.installed().open("memory:served", OpenOptions.DEFAULT)) {
      Table<byte[], byte[]> table = store.table("db0");
      assertThat(ServedKeys.isServed(table)).isFalse();
      put(table, "6d76", "01"); // mv
      put(table, "65" + ONE + hex("f1"), hex("v1"));
      put(table, "65" + ONE + hex("f2"), hex("v2"));
      put(table, "650000000000000002" + hex("f3"), hex("of another key"));
      put(
          table,
          "650000000000000003" + hex("s") + "3ff8000000000000".replace("3f", "bf") + hex("m"),
          "");

      assertThat(ServedKeys.isServed(table)).isTrue();
      Header hash = ServedKeys.header(bytes("11" + ONE + "0000000000000002"));
      assertThat(hash.kind()).isEqualTo("hash");
      assertThat(hash.elements()).isEqualTo(2);
      assertThat(ServedKeys.elements(table, hash, null, 10).elements())
          .containsExactly(new Element("f1", "v1"), new Element("f2", "v2"));
      ServedKeys.Elements first = ServedKeys.elements(table, hash, null, 1);
      assertThat(ServedKeys.elements(table, hash, first.next(), 1).elements())
          .containsExactly(new Element("f2", "v2"));
      Header expiring = ServedKeys.header(bytes("17" + ONE + ONE + ONE + "0000018bcfe56800"));
      assertThat(ServedKeys.elements(table, expiring, null, 10).elements()).hasSize(2);
      Header sorted = ServedKeys.header(bytes("14" + "0000000000000003" + ONE));
      assertThat(ServedKeys.elements(table, sorted, null, 10).elements())
          .containsExactly(new Element("m", "1.5"));
      put(table, "650000000000000004" + "00000002", hex("abc"));
      Header longString = ServedKeys.header(bytes("16" + "0000000000000004" + "0000000000011170"));
      assertThat(longString.elements()).isEqualTo(70_000);
      assertThat(ServedKeys.elements(table, longString, null, 10).elements())
          .containsExactly(new Element("byte 16352", "abc"));
      Header string = ServedKeys.header(bytes("18" + "0000018bcfe56800" + hex("hello")));
      assertThat(string.expires()).isEqualTo("2023-11-14T22:13:20Z");
      assertThat(string.start()).isEqualTo(9);
    }
  }

  @Test
  void whatIsNoHeaderIsRefused() {
    for (String value : new String[] {"", "00", "21", "11" + ONE, "18ff"}) {
      assertThatThrownBy(() -> ServedKeys.header(bytes(value)))
          .isInstanceOf(CorruptException.class);
    }
  }

  private static void put(Table<byte[], byte[]> table, String key, String value) {
    table.put(bytes(key), bytes(value));
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(UTF_8));
  }
}
