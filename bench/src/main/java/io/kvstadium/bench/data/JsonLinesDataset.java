package io.kvstadium.bench.data;

import io.kvstadium.transfer.records.JsonKey;
import io.kvstadium.transfer.records.RecordReader;
import java.nio.file.Path;
import java.util.List;

/**
 * One JSON document per line, compressed or not. The key is a field of it; the value is the whole
 * line as written in the file, without its line end. Blank lines are left out.
 */
public final class JsonLinesDataset implements Dataset {
  private final Path path;
  private final DatasetOptions options;

  private JsonLinesDataset(Path path, DatasetOptions options) {
    this.path = path;
    this.options = options;
  }

  static JsonLinesDataset read(Path path, DatasetOptions options) {
    if (options.key() == null) {
      try (RecordReader lines = RecordReader.lines(path, options.maxValueBytes())) {
        if (lines.advance()) {
          lines.checkUtf8();
          List<String> fields = new JsonKey(null).fields(lines);
          throw Dataset.noKeyGiven(path.toString(), "field", fields);
        }
      }
    }
    return new JsonLinesDataset(path, options);
  }

  @Override
  public String source() {
    return path.toString();
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
  public EntryIterator scan() {
    JsonKey key = new JsonKey(options.key());
    return new RecordIterator(
        RecordReader.lines(path, options.maxValueBytes()),
        line -> KeyEncoder.encode(key.of(line), options.encoding(), line.where()));
  }
}
