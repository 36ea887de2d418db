package io.kvstadium.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.Parser.ParseContext;
import org.junit.jupiter.api.Test;

/** What JLine learns about a line. */
class ShellParserTest {
  private static CompletingParsedLine at(String line, int cursor) {
    return (CompletingParsedLine) new ShellParser().parse(line, cursor, ParseContext.COMPLETE);
  }

  @Test
  void theWordIsThatBeforeTheCursor() {
    CompletingParsedLine line = at("get user:1 --table x", 8);

    assertThat(line.words()).containsExactly("get", "user");
    assertThat(line.word()).isEqualTo("user");
    assertThat(line.wordIndex()).isEqualTo(1);
    assertThat(line.rawWordCursor()).isEqualTo(4);
  }

  @Test
  void behindABlankAWordBegins() {
    CompletingParsedLine line = at("get ", 4);

    assertThat(line.words()).containsExactly("get", "");
    assertThat(line.rawWordCursor()).isZero();
    assertThat(at("", 0).words()).containsExactly("");
  }

  @Test
  void aQuoteBelongsToTheWordThatTakesItsPlace() {
    CompletingParsedLine line = at("get \"a b", 8);

    assertThat(line.word()).isEqualTo("a b");
    assertThat(line.rawWordLength()).isEqualTo(4);
    assertThat(line.escape("a b c", true)).hasToString("\"a b c\"");
    assertThat(line.escape("abc", true)).hasToString("abc");
  }

  @Test
  void anOpenQuoteAsksForAnotherLine() {
    assertThatThrownBy(() -> new ShellParser().parse("put k 'a", 8, ParseContext.ACCEPT_LINE))
        .isInstanceOf(EOFError.class);
    assertThat(new ShellParser().parse("put k \"\\q\"", 10, ParseContext.ACCEPT_LINE).words())
        .as("what is wrong is said when it is run")
        .isNotNull();
  }
}
