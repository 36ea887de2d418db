package io.kvstadium.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    assertThat(words("\"a\\n\\t\\r\\\"\\\\€\" 'a\\n\"'")).containsExactly("a\n\t\r\"\\€", "a\\n\"");
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
  @ValueSource(strings = {"'a'b", "\"\\q\"", "\"\\xff\""})
  void whatCannotBeMeantIsRefused(String line) {
    assertThatThrownBy(() -> ShellArguments.of(line)).isInstanceOf(BadArgumentException.class);
  }

  @Property
  void whatIsQuotedIsReadAgain(@ForAll String text) {
    assertThat(Escapes.escaped(text).codePoints()).noneMatch(Escapes::isControl);
    String plain = text.replaceAll("[^\\n\\r\\t -~€]", "");
    assertThat(words("get " + Escapes.escaped(plain))).containsExactly("get", plain);
  }
}
