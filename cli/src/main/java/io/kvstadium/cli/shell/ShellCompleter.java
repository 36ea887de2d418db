package io.kvstadium.cli.shell;

import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** {@link Completion} for JLine. */
final class ShellCompleter implements Completer {
  private final Completion completion;

  ShellCompleter(Completion completion) {
    this.completion = completion;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    List<String> before = line.words().subList(0, line.wordIndex());
    completion.of(before, line.word()).forEach(each -> candidates.add(new Candidate(each)));
  }
}
