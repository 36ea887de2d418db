package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.codec.TupleCodecTest;
import io.kvstadium.store.codec.TupleCodecTest.UserKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TypedRangeTest {
  private static final Codec<UserKey> USER_KEY = TupleCodecTest.USER_KEY;

  private Store store;
  private Table<String, Boolean> words;
  private Table<UserKey, Boolean> users;

  @BeforeEach
  void fill() {
    store = FakeEngine.openStore();
    words = store.table("words", Codec.STRING, Codec.BOOLEAN);
    List.of("a", "ab", "abc", "b", "bc").forEach(word -> words.put(word, true));
    users = store.table("users", USER_KEY, Codec.BOOLEAN);
    for (String tenant : List.of("acme", "acme2", "zoo")) {
      for (long id = -1; id <= 1; id++) {
        users.put(new UserKey(tenant, id), true);
      }
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void boundsOnOneSide() {
    assertThat(keys(words, Range.atLeast("abc"))).containsExactly("abc", "b", "bc");
    assertThat(keys(words, Range.greaterThan("abc"))).containsExactly("b", "bc");
    assertThat(keys(words, Range.atMost("ab"))).containsExactly("a", "ab");
    assertThat(keys(words, Range.lessThan("ab"))).containsExactly("a");
  }

  @Test
  void boundsOnBothSides() {
    assertThat(keys(words, Range.between("ab", "b"))).containsExactly("ab", "abc");
    assertThat(keys(words, Range.greaterThan("ab").to("b", true))).containsExactly("abc", "b");
    assertThat(keys(words, Range.between("b", "ab"))).isEmpty();
  }

  @Test
  void directionAndLimit() {
    assertThat(keys(words, Range.<String>all().reverse().limit(2))).containsExactly("bc", "b");
    assertThat(keys(words, Range.between("a", "b").reverse().limit(1))).containsExactly("abc");
    assertThat(keys(words, Range.<String>all().reverse().reverse())).hasSize(5);
    assertThat(keys(words, Range.<String>all().limit(0))).isEmpty();
    assertThatThrownBy(() -> Range.<String>all().limit(-1))
        .isInstanceOf(BadArgumentException.class);
  }

  @Test
  void textsThatStartAlike() {
    assertThat(keys(words, Range.prefix("ab"))).containsExactly("ab", "abc");
    assertThat(keys(words, Range.prefix(""))).hasSize(5);
  }

  @Test
  void aWalkThroughAPrefixGoesOnBehindTheLastKey() {
    assertThat(keys(words, Range.prefix("a").from("ab", false))).containsExactly("abc");
    assertThat(keys(words, Range.prefix("a").to("ab", true))).containsExactly("a", "ab");
  }

  @Test
  void boundsNeverWidenAPrefix() {
    assertThat(keys(words, Range.prefix("b").from("a", true).to("z", true)))
        .containsExactly("b", "bc");
    assertThat(keys(words, Range.prefix("a").from("b", true))).isEmpty();
  }

  @Test
  void leadingComponents() {
    assertThat(keys(users, Range.prefix(USER_KEY, "acme")))
        .containsExactly(new UserKey("acme", -1), new UserKey("acme", 0), new UserKey("acme", 1));
    assertThat(keys(users, Range.between(USER_KEY, List.of("acme", 0), List.of("acme2", 1))))
        .containsExactly(
            new UserKey("acme", 0),
            new UserKey("acme", 1),
            new UserKey("acme2", -1),
            new UserKey("acme2", 0));
    assertThat(keys(users, Range.between(USER_KEY, List.of("acme2"), List.of()))).hasSize(6);
    assertThat(keys(users, Range.prefix(USER_KEY, "acme", 0)))
        .containsExactly(new UserKey("acme", 0));
    assertThat(keys(users, Range.prefix(USER_KEY, "zoo").from(new UserKey("zoo", -1), false)))
        .containsExactly(new UserKey("zoo", 0), new UserKey("zoo", 1));
  }

  @Test
  void componentsThatDoNotFitTheCodecAreRefused() {
    assertThatThrownBy(() -> Range.prefix(USER_KEY, 1L))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("component tenant of the codec UserKey(STRING, LONG) is a STRING")
        .hasMessageContaining("is given 1, of Long");
    assertThatThrownBy(() -> Range.between(USER_KEY, List.of(), List.of("a", "b")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("component id of the codec UserKey(STRING, LONG) is a LONG");
    assertThatThrownBy(() -> Range.prefix(USER_KEY, "a", 1L, 2L))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("a range gives 3 components, but the codec")
        .hasMessageContaining("has 2");
  }

  @Test
  void prefixesThatMeanNothingAreRefused() {
    Table<Long, Boolean> numbers = store.table("numbers", Codec.LONG, Codec.BOOLEAN);

    assertThatThrownBy(() -> numbers.scan(Range.prefix(1L)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("LONG have one length");
    assertThatThrownBy(() -> users.scan(Range.prefix(new UserKey("a", 1))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("use prefix(codec, …)");
  }

  @Test
  void aCodecWithoutComponentsCannotBeGivenThem() {
    Codec<UserKey> opaque = Codec.map(Codec.STRING, text -> new UserKey(text, 0), UserKey::tenant);

    assertThatThrownBy(() -> Range.prefix(opaque, "a"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("map(STRING) has no components");
  }

  @Test
  void keysWithoutOrderHaveNoBoundsButCanAllBeScanned() {
    Codec<String> unordered = new Unordered();
    Table<String, Boolean> table = store.table("unordered", unordered, Codec.BOOLEAN);
    table.put("a", true);

    assertThat(keys(table, Range.<String>all().limit(5))).containsExactly("a");
    for (Range<String> range : List.of(Range.atLeast("a"), Range.atMost("a"), Range.prefix("a"))) {
      assertThatThrownBy(() -> table.scan(range))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("the key codec UNORDERED does not keep an order");
    }
  }

  @Test
  void aBatchTakesRangesOnlyWhereTheEngineRemovesThemInOneStep() {
    assertThatThrownBy(() ->
            store.write(batch -> {
              batch.delete(words, "a");
              batch.delete(words, Range.atLeast("b"));
            }))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining(Capability.RANGE_DELETE.word());
    assertThat(words.count()).isEqualTo(5);
  }

  private static <K> List<K> keys(Table<K, ?> table, Range<K> range) {
    List<K> keys = new ArrayList<>();
    try (Cursor<K, ?> cursor = table.scan(range.keysOnly())) {
      while (cursor.next()) {
        keys.add(cursor.key());
      }
    }
    return keys;
  }

  private static final class Unordered implements Codec<String> {
    @Override
    public byte[] encode(String value) {
      return Codec.STRING.encode(value);
    }

    @Override
    public String decode(byte[] bytes) {
      return Codec.STRING.decode(bytes);
    }

    @Override
    public String toString() {
      return "UNORDERED";
    }
  }
}
