package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.TupleCodecTest.UserKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TypedRangeTest {
  private static final TupleCodec.Field<UserKey, String> TENANT = TupleCodecTest.TENANT;
  private static final TupleCodec.Field<UserKey, Long> ID = TupleCodecTest.ID;

  private Store store;
  private TypedTable<String, Boolean> words;
  private TypedTable<UserKey, Boolean> users;

  @BeforeEach
  void fill() {
    store = FakeEngine.openStore();
    words = store.table("words", Codec.STRING, Codec.BOOLEAN);
    List.of("a", "ab", "abc", "b", "bc").forEach(word -> words.put(word, true));
    users = store.table("users", TupleCodecTest.USER_KEY, Codec.BOOLEAN);
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
    assertThat(keys(words, TypedRange.atLeast("abc"))).containsExactly("abc", "b", "bc");
    assertThat(keys(words, TypedRange.greaterThan("abc"))).containsExactly("b", "bc");
    assertThat(keys(words, TypedRange.atMost("ab"))).containsExactly("a", "ab");
    assertThat(keys(words, TypedRange.lessThan("ab"))).containsExactly("a");
  }

  @Test
  void boundsOnBothSides() {
    assertThat(keys(words, TypedRange.between("ab", "b"))).containsExactly("ab", "abc");
    assertThat(keys(words, TypedRange.greaterThan("ab").to("b", true))).containsExactly("abc", "b");
    assertThat(keys(words, TypedRange.between("b", "ab"))).isEmpty();
  }

  @Test
  void directionAndLimit() {
    assertThat(keys(words, TypedRange.<String>all().reverse().limit(2))).containsExactly("bc", "b");
    assertThat(keys(words, TypedRange.between("a", "b").reverse().limit(1))).containsExactly("abc");
    assertThat(keys(words, TypedRange.<String>all().reverse().reverse())).hasSize(5);
    assertThat(keys(words, TypedRange.<String>all().limit(0))).isEmpty();
    assertThatThrownBy(() -> TypedRange.<String>all().limit(-1))
        .isInstanceOf(BadArgumentException.class);
  }

  @Test
  void textsThatStartAlike() {
    assertThat(keys(words, TypedRange.prefix("ab"))).containsExactly("ab", "abc");
    assertThat(keys(words, TypedRange.prefix(""))).hasSize(5);
  }

  @Test
  void aWalkThroughAPrefixGoesOnBehindTheLastKey() {
    assertThat(keys(words, TypedRange.prefix("a").from("ab", false))).containsExactly("abc");
    assertThat(keys(words, TypedRange.prefix("a").to("ab", true))).containsExactly("a", "ab");
  }

  @Test
  void boundsNeverWidenAPrefix() {
    assertThat(keys(words, TypedRange.prefix("b").from("a", true).to("z", true)))
        .containsExactly("b", "bc");
    assertThat(keys(words, TypedRange.prefix("a").from("b", true))).isEmpty();
  }

  @Test
  void leadingComponents() {
    assertThat(keys(users, TypedRange.matching(TENANT.is("acme"))))
        .containsExactly(new UserKey("acme", -1), new UserKey("acme", 0), new UserKey("acme", 1));
    assertThat(keys(users, TypedRange.matching(TENANT.startsWith("acme")))).hasSize(6);
    assertThat(keys(users, TypedRange.matching(TENANT.is("acme"), ID.is(0L))))
        .containsExactly(new UserKey("acme", 0));
    assertThat(keys(users, TypedRange.matching())).hasSize(9);
    assertThat(
            keys(users, TypedRange.matching(TENANT.is("zoo")).from(new UserKey("zoo", -1), false)))
        .containsExactly(new UserKey("zoo", 0), new UserKey("zoo", 1));
  }

  @Test
  void componentsThatAreNotLeadingAreRefused() {
    assertThatThrownBy(() -> users.scan(TypedRange.matching(ID.is(1L))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("match 1 of a range (LONG is 0x8000000000000001 (8 bytes))")
        .hasMessageContaining("not of component 1 of the key codec of(STRING, LONG)");
    assertThatThrownBy(() -> users.scan(TypedRange.matching(TENANT.startsWith("a"), ID.is(1L))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("may only be the last one");
    assertThatThrownBy(() -> users.scan(TypedRange.matching(TENANT.atLeast("a"), ID.is(1L))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("may only be the last one");
    assertThatThrownBy(() -> users.scan(TypedRange.matching(TENANT.is("a"), ID.is(1L), ID.is(2L))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("match 3 of a range");
    assertThatThrownBy(() -> ID.startsWith(1L))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("use is(…)");
  }

  @Test
  void prefixesThatMeanNothingAreRefused() {
    TypedTable<Long, Boolean> numbers = store.table("numbers", Codec.LONG, Codec.BOOLEAN);

    assertThatThrownBy(() -> numbers.scan(TypedRange.prefix(1L)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("LONG have one length");
    assertThatThrownBy(() -> users.scan(TypedRange.prefix(new UserKey("a", 1))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("use TypedRange.matching");
  }

  @Test
  void aCodecWithoutComponentsCannotMatchThem() {
    Codec<UserKey> opaque = Codec.map(Codec.STRING, text -> new UserKey(text, 0), UserKey::tenant);
    TypedTable<UserKey, Boolean> table = store.table("opaque", opaque, Codec.BOOLEAN);

    assertThatThrownBy(() -> table.scan(TypedRange.matching(TENANT.is("a"))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("map(STRING) has no components to match");
  }

  @Test
  void keysWithoutOrderHaveNoBoundsButCanAllBeScanned() {
    Codec<String> unordered = new Unordered();
    TypedTable<String, Boolean> table = store.table("unordered", unordered, Codec.BOOLEAN);
    table.put("a", true);

    assertThat(keys(table, TypedRange.<String>all().limit(5))).containsExactly("a");
    for (TypedRange<String> range :
        List.of(TypedRange.atLeast("a"), TypedRange.atMost("a"), TypedRange.prefix("a"))) {
      assertThatThrownBy(() -> table.scan(range))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("the key codec UNORDERED does not keep an order");
    }
  }

  private static <K> List<K> keys(TypedTable<K, ?> table, TypedRange<K> range) {
    List<K> keys = new ArrayList<>();
    try (TypedCursor<K, ?> cursor = table.scan(range.keysOnly())) {
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
