package io.kvstadium.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A piece of a document. Texts are neither wrapped nor escaped. */
sealed interface Block
    permits Block.Text,
        Block.Terms,
        Block.Items,
        Block.Drawing,
        Block.Choices,
        Block.Download,
        Block.Part,
        Block.Only,
        Table {
  /** What a document is laid out for. */
  enum Medium {
    CONSOLE,
    MARKDOWN,
    PAGE
  }

  /** The role of a text. */
  enum Style {
    /** The answer to a section's question. */
    LEAD,
    /** Background information. */
    ASIDE,
    /** The title of what follows, if that does not show one itself. */
    TITLE
  }

  record Text(Style style, String text) implements Block {
    static Text aside(String text) {
      return new Text(Style.ASIDE, text);
    }
  }

  /** Names, each with a text about it. */
  record Terms(List<Term> terms) implements Block {}

  record Term(String name, String text) {}

  /**
   * Remarks.
   *
   * @param sign the sign that each begins with on a console
   */
  record Items(char sign, List<Term> items) implements Block {
    /** Remarks without names. */
    static Items of(char sign, List<String> texts) {
      return new Items(sign, texts.stream().map(text -> new Term("", text)).toList());
    }
  }

  record Drawing(Chart chart) implements Block {}

  /**
   * Several views of the same thing; the reader chooses one.
   *
   * @param choices for each choice its name, and its words by key
   * @param shown the keys of the view that is shown first, separated by spaces
   * @param views all views, by their keys
   */
  record Choices(
      List<Map.Entry<String, Map<String, String>>> choices,
      String shown,
      Map<String, List<Block>> views)
      implements Block {}

  /** Figures that can be downloaded as files. */
  record Download(Recordings recordings) implements Block {}

  /** The kind of a part of a document, which tells a page how to lay it out. */
  enum Kind {
    /** Who is fastest. */
    VERDICT,
    /** A chapter. */
    FIGURES,
    /** A chapter within a chapter. */
    SUBCHAPTER,
    /** A drawing with its tables. */
    DRAWING,
    /** The same across the whole width. */
    DRAWING_WHOLE,
    /** Small drawings side by side. */
    CHARTS,
    /** Larger ones. */
    DRAWINGS,
    /** Details that need not be seen at first. */
    FOLD
  }

  record Part(Kind kind, String title, List<Block> blocks) implements Block {
    static Part of(Kind kind, List<Block> blocks) {
      return new Part(kind, "", blocks);
    }

    static Part of(Kind kind, Block... blocks) {
      return of(kind, List.of(blocks));
    }
  }

  /** A block for some media. */
  record Only(Set<Medium> media, Block block) implements Block {}

  static Block on(Medium medium, Block block) {
    return new Only(Set.of(medium), block);
  }

  /** A block for what is read as text. */
  static Block asText(Block block) {
    return new Only(Set.of(Medium.CONSOLE, Medium.MARKDOWN), block);
  }

  /** The block for a medium, or {@code null} if it is not for that. */
  static @Nullable Block in(Medium medium, Block block) {
    return block instanceof Only only ? only.media().contains(medium) ? only.block() : null : block;
  }
}
