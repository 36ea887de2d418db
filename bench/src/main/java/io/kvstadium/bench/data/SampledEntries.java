package io.kvstadium.bench.data;

import io.kvstadium.trace.KeyHash;
import io.kvstadium.transfer.format.Item;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.SourceReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One of so many entries, by the hash of their keys. */
public record SampledEntries(EntrySource all, int oneOf) implements EntrySource {
  /** Such as {@code one of 6 entries (17 %)}. */
  public static String words(int oneOf) {
    return String.format(Locale.ROOT, "one of %d entries (%.2g %%)", oneOf, 100.0 / oneOf);
  }

  @Override
  public String name() {
    return all.name();
  }

  @Override
  public String format() {
    return all.format();
  }

  @Override
  public SourceReader read() {
    SourceReader reader = all.read();
    return new SourceReader() {
      @Override
      public @Nullable Item next() {
        Item next = reader.next();
        while (next != null && KeyHash.of(0, next.key()) % oneOf != 0) {
          next = reader.next();
        }
        return next;
      }

      @Override
      public List<String> leftOut() {
        return reader.leftOut();
      }

      @Override
      public List<String> skipped() {
        return reader.skipped();
      }

      @Override
      public Map<String, String> describe() {
        Map<String, String> facts = new LinkedHashMap<>(reader.describe());
        facts.put("sample", words(oneOf));
        return facts;
      }

      @Override
      public double share() {
        return reader.share();
      }

      @Override
      public void close() {
        reader.close();
      }
    };
  }
}
