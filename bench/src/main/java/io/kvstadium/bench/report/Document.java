package io.kvstadium.bench.report;

import java.util.List;

/**
 * The content of a report: made once, and laid out by renderers that know nothing about results.
 *
 * @param title what it is about
 * @param where the machine, and what was used on it
 * @param warning what to know before anything else, or an empty text
 * @param notices what to know before reading on
 * @param sections one for each question
 * @param closing circumstances
 */
record Document(
    String title,
    String where,
    String warning,
    List<Block.Term> notices,
    List<Section> sections,
    List<Block> closing) {
  /**
   * The answer to one question.
   *
   * @param name of the experiment, sweep or comparison
   * @param question that it answers, or an empty text
   * @param glance the answer in short
   * @param blocks the answer
   */
  record Section(String name, String question, List<Block.Term> glance, List<Block> blocks) {
    /** Name and question. */
    String title() {
      return Words.join(": ", name, question);
    }
  }
}
