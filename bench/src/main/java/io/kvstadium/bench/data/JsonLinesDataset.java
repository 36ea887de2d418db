package io.kvstadium.bench.data;

import java.nio.file.Path;

/**
 * One JSON document per line, packed or not. The key is a field of it, the value the whole line as
 * it stands in the file, without its line end. Blank lines are left out.
 */
public final class JsonLinesDataset implements Dataset {
  private final Path path;
  private final DatasetOptions options;

  JsonLinesDataset(Path path, DatasetOptions options) {
    this.path = path;
    this.options = options;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String format() {
    return "jsonl";
  }

  @Override
  public DatasetOptions options() {
    return options;
  }

  @Override
  public EntryIterator entries() {
    JsonKey key = new JsonKey(path, options);
    return new RecordIterator(RecordReader.lines(path, options.maxValueBytes()), key::of);
  }
}
