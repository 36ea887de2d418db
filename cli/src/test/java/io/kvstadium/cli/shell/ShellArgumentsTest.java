package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.cli.io.ByteText;
import io.kvstadium.cli.io.Escapes;
import io.kvstadium.store.BadArgumentException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a line of the shell is split. */
class ShellArgumentsTest {
  private static List<String> words(String line) {
    ShellArguments words = ShellArguments.of(line);
    assertThat(words.open()).isFalse();
    return words.texts();
  }

  @Test
  void blanksSeparateWordsAndQuotesKeepThemTogether() {
    assertThat(words("  put\tuser:1  'a b'  \"c d\" '' "))
        .containsExactly("put", "user:1", "a b", "c d", "");
  }

  @Test
  void jsonWithoutBlanksNeedsNoQuotes() {
    assertThat(words("put k {\"name\":\"ann's\"}"))
        .containsExactly("put", "k", "{\"name\":\"ann's\"}");
  }

  @Test
  void anOptionsValueMayBeQuotedBehindItsEqualsSign() {
    assertThat(words("scan --prefix=\"a b\" --to='c d'"))
        .containsExactly("scan", "--prefix=a b", "--to=c d");
  }

  @Test
  void doubleQuotesHaveEscapesAndSingleOnesHaveNone() {
    assertThat(words("\"a\\n\\t\\r\\\"\\\\\\u20ac\" 'a\\n\"'"))
        .containsExactly("a\n\t\r\"\\€", "a\\n\"");
  }

  @Test
  void bytesThatAreNoTextStayWhatTheyAre() {
    String word = words("\"\\xff\\x00\\xe2\\x82\\xac\"").getFirst();

    assertThat(ByteText.bytes(word)).containsExactly(0xff, 0, 0xe2, 0x82, 0xac);
    assertThat(words("\"\\xe2\\x82\\xac\"")).containsExactly("€");
  }

  @Test
  void aQuoteThatIsNotClosedIsOpen() {
    assertThat(ShellArguments.of("put k 'line 1").open()).isTrue();
    assertThat(ShellArguments.of("put k \"line 1\\").open()).isTrue();
    assertThat(words("put k 'line 1\nline 2'")).containsExactly("put", "k", "line 1\nline 2");
  }

  @Test
  void aCommentHasNoWords() {
    assertThat(words("  # it's nothing")).isEmpty();
    assertThat(words("get #1")).containsExactly("get", "#1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'a'b", "\"\\q\"", "\"\\xf\"", "\"\\u12\"", "\"\\ud83d\""})
  void whatCannotBeMeantIsRefused(String line) {
    assertThatThrownBy(() -> ShellArguments.of(line)).isInstanceOf(BadArgumentException.class);
  }

  @Property
  void whatIsQuotedIsReadAgain(@ForAll byte[] bytes) {
    String text = ByteText.of(bytes);

    assertThat(words("get x " + Escapes.quoted(text))).containsExactly("get", "x", text);
    assertThat(words(Escapes.escaped(text))).containsExactly(text);
    assertThat(Escapes.escaped(text).codePoints()).noneMatch(Escapes::isControl);
  }

  @Property
  void textStandsForItsBytes(@ForAll byte[] bytes, @ForAll String text) {
    assertThat(ByteText.bytes(ByteText.of(bytes))).isEqualTo(bytes);
    byte[] utf8 = text.getBytes(UTF_8);
    assertThat(ByteText.of(utf8)).isEqualTo(new String(utf8, UTF_8));
  }
}
