package io.kvstadium.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

class TraceFileTest {
  private static final Map<String, String> HEADER = Map.of("engine", "memory");

  @Property(tries = 100)
  void whatWasWrittenIsRead(@ForAll long seed, @ForAll @IntRange(max = 3000) int count)
      throws IOException {
    List<Operation> operations = operations(seed, count, TraceFormat.MAX_KEY);

    Read read = read(written(operations, Integer.MAX_VALUE));

    assertThat(read.header).isEqualTo(HEADER);
    assertThat(read.operations).isEqualTo(texts(operations));
    assertThat(read.complete).isTrue();
    assertThat(read.damaged).isZero();
  }

  @Property(tries = 20)
  void aFileThatIsCutOffHasAllBlocksBeforeTheCut(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int count) throws IOException {
    List<Operation> operations = operations(seed, count, 100);
    int perBlock = 7;
    byte[] file = written(operations, perBlock);

    int most = 0;
    for (int length = TraceFormat.FILE_HEADER; length < file.length; length++) {
      Read read = read(Arrays.copyOf(file, length));

      int found = read.operations.size();
      assertThat(read.operations).isEqualTo(texts(operations).subList(0, found));
      assertThat(found).isGreaterThanOrEqualTo(most);
      assertThat(found % perBlock).isIn(0, count % perBlock);
      assertThat(read.complete).isFalse();
      most = found;
    }
    assertThat(most).isEqualTo(count);
  }

  @Property
  void damageCostsOneBlockAndIsCounted(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 60) int count,
      @ForAll @LongRange(min = 0) long where)
      throws IOException {
    List<Operation> operations = operations(seed, count, 100);
    int perBlock = 7;
    byte[] file = written(operations, perBlock);
    // magic and version are refused: see aFileOfAnotherKindIsRefused
    int first = TraceFormat.MAGIC.length + 1;
    long bit = where % (8L * (file.length - first));
    file[first + (int) (bit / 8)] ^= (byte) (1 << bit % 8);

    Read read = read(file);

    List<String> expected = new ArrayList<>(texts(operations));
    int missing = expected.size() - read.operations.size();
    assertThat(missing).isIn(0, perBlock, count % perBlock);
    int from = 0;
    while (from < read.operations.size() && read.operations.get(from).equals(expected.get(from))) {
      from++;
    }
    expected.subList(from, from + missing).clear();
    assertThat(read.operations).isEqualTo(expected);
    assertThat(read.damaged).isEqualTo(1);
    assertThat(read.lost == missing || read.unknown).isTrue();
  }

  @Property(tries = 20)
  void aFileOfAnotherKindIsRefused(@ForAll @IntRange(max = 8) int index) throws IOException {
    byte[] file = written(List.of(), 1);
    file[index]++;

    assertThatThrownBy(() -> new TraceReader(new ByteArrayInputStream(file)))
        .isInstanceOf(CorruptException.class);
  }

  @Property
  void recordingsOneAfterAnotherAreReadAsOne(@ForAll long seed) throws IOException {
    List<Operation> operations = operations(seed, 20, 100);
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    byte[] file = written(operations, 7);
    both.write(file, 0, file.length - 3); // the first was killed
    both.write(file);

    Read read = read(both.toByteArray());

    assertThat(read.operations).hasSize(40);
    assertThat(read.times).isSorted();
    assertThat(read.complete).isTrue();
  }

  @Property
  void tokensKeepOrderLengthAndCommonPrefixes(
      @ForAll @Size(max = 12) byte[] a,
      @ForAll @Size(max = 12) byte[] b,
      @ForAll @IntRange(max = 12) int common,
      @ForAll String secret) {
    byte[] other = b.clone();
    System.arraycopy(a, 0, other, 0, Math.min(common, Math.min(a.length, b.length)));
    KeyTokens tokens = new KeyTokens(secret);

    byte[] first = tokens.token("t", a);
    byte[] second = tokens.token("t", other);

    assertThat(first).hasSize(2 * a.length).isEqualTo(new KeyTokens(secret).token("t", a));
    assertThat(Integer.signum(Arrays.compareUnsigned(first, second)))
        .isEqualTo(Integer.signum(Arrays.compareUnsigned(a, other)));
    int mismatch = Arrays.mismatch(a, other);
    assertThat(Arrays.mismatch(first, second) / 2).isEqualTo(mismatch < 0 ? 0 : mismatch);
  }

  /** The same byte gets another code behind another prefix, in another table, by another secret. */
  @Property(tries = 50)
  void tokensOfOneByteAreSpread(@ForAll @IntRange(min = 48, max = 207) int value) {
    KeyTokens tokens = new KeyTokens("secret");
    long[] codes = new long[400];
    for (int i = 0; i < codes.length; i++) {
      byte[] token = tokens.token("t", new byte[] {(byte) (i >> 8), (byte) i, (byte) value});
      codes[i] = Short.toUnsignedLong(ByteBuffer.wrap(token).getShort(4));
    }

    // cuts drawn uniformly: where one byte lies varies by dozens of byte values
    double mean = Arrays.stream(codes).average().orElseThrow();
    double squares = Arrays.stream(codes).mapToDouble(c -> (c - mean) * (c - mean)).sum();
    assertThat(Math.sqrt(squares / codes.length)).isGreaterThan(20 * 256);
  }

  private static List<Operation> operations(long seed, int count, int longest) {
    Random random = new Random(seed);
    List<Operation> operations = new ArrayList<>();
    long time = 0;
    for (int i = 0; i < count; i++) {
      Kind kind = Kind.of(random.nextInt(Kind.values().length));
      if (kind == Kind.LOST) {
        kind = Kind.GET;
      }
      time += 16L * random.nextInt(1 << random.nextInt(1, 24));
      boolean range = kind.isRange();
      operations.add(
          new Operation(
              kind,
              Outcome.of(random.nextInt(8) % Outcome.values().length),
              random.nextInt(3),
              random.nextInt(4) == 0 ? "other" : "table",
              !kind.has(Kind.Field.KEY) || (range && random.nextBoolean())
                  ? null
                  : key(random, longest),
              range && random.nextBoolean() ? key(random, longest) : null,
              time,
              16L * random.nextInt(1 << random.nextInt(1, 24)),
              kind.has(Kind.Field.LENGTH) ? random.nextInt(-1, 1 << random.nextInt(1, 30)) : -1,
              kind.has(Kind.Field.COUNT) ? random.nextInt(-1, 1000) : -1,
              range ? random.nextInt(-1, 100) : -1,
              kind.has(Kind.Field.TTL) ? random.nextInt(-1, 100) : -1,
              range ? random.nextInt(16) : 0));
    }
    return operations;
  }

  private static byte[] key(Random random, int longest) {
    int length = random.nextInt(200) == 0 ? longest : random.nextInt(5);
    byte[] key = new byte[length];
    for (int i = 0; i < length; i++) {
      key[i] = (byte) random.nextInt(3);
    }
    return key;
  }

  private static byte[] written(List<Operation> operations, int perBlock) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TraceWriter writer = TraceWriter.begin(bytes, HEADER, null)) {
      int inBlock = 0;
      for (Operation operation : operations) {
        writer.append(operation);
        if (++inBlock == perBlock) {
          writer.flush();
          inBlock = 0;
        }
      }
    }
    return bytes.toByteArray();
  }

  private record Read(
      Map<String, String> header,
      List<String> operations,
      List<Long> times,
      boolean complete,
      long damaged,
      long lost,
      boolean unknown) {}

  private static Read read(byte[] file) throws IOException {
    try (TraceReader reader = new TraceReader(new ByteArrayInputStream(file))) {
      List<String> operations = new ArrayList<>();
      List<Long> times = new ArrayList<>();
      boolean unknown = false;
      for (@Nullable Operation next = reader.next(); next != null; next = reader.next()) {
        times.add(next.time());
        if (next.kind() == Kind.LOST) {
          unknown |= next.count() < 0;
        } else {
          operations.add(text(next));
        }
      }
      return new Read(
          reader.header(),
          operations,
          times,
          reader.isComplete(),
          reader.damaged(),
          reader.lost(),
          unknown);
    }
  }

  private static List<String> texts(List<Operation> operations) {
    return operations.stream().map(TraceFileTest::text).toList();
  }

  private static String text(Operation operation) {
    return operation.withKeys(null, null)
        + Arrays.toString(operation.key())
        + Arrays.toString(operation.to());
  }
}
