package io.kvstadium.trace.imports;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.TraceReader;
import io.kvstadium.trace.TraceWriter;
import io.kvstadium.trace.imports.TraceImport.Format;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TraceImportTest {
  private TraceImport.@Nullable Result result;

  private List<String> imported(Format format, byte[] source) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TraceWriter writer = TraceWriter.begin(bytes, Map.of(), null)) {
      result = TraceImport.run(new ByteArrayInputStream(source), format, "name another", writer);
    }
    List<String> texts = new ArrayList<>();
    try (TraceReader reader = new TraceReader(new ByteArrayInputStream(bytes.toByteArray()))) {
      for (Operation next = reader.next(); next != null; next = reader.next()) {
        byte[] key = next.key();
        texts.add(
            "%d %d %s%s%s%s%s"
                .formatted(
                    next.time() / 1000,
                    next.thread(),
                    next.kind(),
                    next.table().isEmpty() ? "" : " " + next.table(),
                    key == null ? "" : " " + new String(key, ISO_8859_1),
                    next.length() < 0 ? "" : " " + next.length(),
                    next.kind() == Kind.PUT_EXPIRING || next.kind() == Kind.EXPIRE
                        ? " ttl " + next.ttl()
                        : ""));
      }
    }
    return texts;
  }

  private List<String> imported(Format format, String source) throws IOException {
    return imported(format, source.getBytes(ISO_8859_1));
  }

  @Test
  void whatMonitorPrintsBecomesOperations() throws IOException {
    List<String> operations =
        imported(
            Format.MONITOR,
            """
            OK
            100.000000 [0 127.0.0.1:60866] "SET" "a\\x01 \\"b" "12345" "EX" "10"
            100.000100 [2 127.0.0.1:60867] "mget" "k1" "k2"
            100.000200 [0 127.0.0.1:60866] "LPUSH" "list" "1"
            100.000300 [0 127.0.0.1:60866] "GET"
            100.000200 [0 127.0.0.1:60866] "incr" "n"
            not a line
            101.5 [0 lua] "del" "n"
            """);

    assertThat(operations)
        .containsExactly(
            "0 0 PUT_EXPIRING default a\u0001 \"b 5 ttl 10000",
            "100 1 BATCH",
            "100 1 GET db2 k1",
            "100 1 GET db2 k2",
            "100 1 BATCH_END",
            "300 0 GET default n",
            "300 0 PUT default n",
            "1500000 2 DELETE default n");
    assertThat(result).isNotNull();
    assertThat(result.bad()).isEqualTo(2);
    assertThat(result.messages().toString()).contains("line 5", "line 7");
    assertThat(result.unsupported()).containsExactly(Map.entry("LPUSH", 1L));
  }

  @Test
  void commandsHaveNoTimes() throws IOException {
    assertThat(
            imported(
                Format.COMMANDS,
                """
                SET user:1 "a value"
                # a comment
                EXPIRE user:1 5
                GET 'user:1'
                GET __key__
                """))
        .containsExactly(
            "0 0 PUT default user:1 7",
            "2 0 EXPIRE default user:1 ttl 5000",
            "3 0 GET default user:1");
    assertThat(result).isNotNull();
    assertThat(result.messages().toString()).contains("line 5");
  }

  @Test
  void anExpiryIsTheSameHoweverItIsGiven() throws IOException {
    assertThat(
            imported(
                Format.MONITOR,
                """
                100.5 [0 c:1] "EXPIREAT" "a" "110"
                100.5 [0 c:1] "PEXPIREAT" "a" "110500"
                100.5 [0 c:1] "SET" "a" "xy" "PXAT" "102500"
                100.5 [0 c:1] "getex" "a" "exat" "111"
                100.5 [0 c:1] "getex" "a" "persist"
                100.5 [0 c:1] "EXPIRE" "a" "-1"
                100.5 [0 c:1] "SET" "a" "xy" "PX" "30000" "NX"
                100.5 [0 c:1] "SET" "a" "xy" "EXX" "30000"
                100.5 [0 c:1] "MSET" "a" "1" "b"
                100.5 [0 c:1] "SETEX" "a" "9223372036854775807" "v"
                """))
        .containsExactly(
            "0 0 EXPIRE default a ttl 9500",
            "0 0 EXPIRE default a ttl 10000",
            "0 0 PUT_EXPIRING default a 2 ttl 2000",
            "0 0 GET default a",
            "0 0 EXPIRE default a ttl 10500",
            "0 0 GET default a",
            "0 0 EXPIRE default a ttl -1",
            "0 0 DELETE default a",
            "0 0 PUT_IF default a 2");
    assertThat(result).isNotNull();
    assertThat(result.bad()).isEqualTo(3);
    assertThat(result.unsupported()).hasSize(1);
  }

  @Test
  void whereNothingIsAnOperationOnAKeyThereIsNoTrace() {
    assertThatThrownBy(() -> imported(Format.MONITOR, "1.5 [0 c:1] \"LPUSH\" \"l\" \"1\"\n"))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("LPUSH");
    assertThatThrownBy(() -> imported(Format.COMMANDS, "MULTI\nPING\nEXEC\n"))
        .isInstanceOf(CorruptException.class);
    assertThatThrownBy(() -> imported(Format.TWITTER, "\n")).isInstanceOf(CorruptException.class);
    String appendOnly = "*2\r\n$3\r\nGET\r\n$1\r\na\r\n";
    assertThatThrownBy(() -> imported(Format.COMMANDS, appendOnly))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("append-only");
  }

  @Test
  void twittersLinesBecomeOperations() throws IOException {
    assertThat(
            imported(
                Format.TWITTER,
                """
                7,nz:u,1:x,8,100,1,get,0
                7,q,3,0,2,get,0
                9,q,3,50,2,set,60
                9,q,3,50,2,fetch,60
                9,q,3,50,2,set,-1
                9,q,99999,50,2,get,0
                """))
        .containsExactly(
            "0 0 GET default nz:u,1:x 100",
            "0 1 GET default q\0\0",
            "2000000 1 PUT_EXPIRING default q\0\0 50 ttl 60000");
    assertThat(result).isNotNull();
    assertThat(result.messages().toString()).contains("line 4", "fetch", "line 5", "line 6");
  }

  /** Written by RocksJava 11.8.1, with one call of each kind. */
  @Test
  void whatRocksDbTracedBecomesOperations() throws IOException {
    byte[] trace;
    try (var in = TraceImportTest.class.getResourceAsStream("rocksdb-11.8.bin")) {
      trace = Objects.requireNonNull(in).readAllBytes();
    }

    List<String> operations = imported(Format.ROCKSDB, trace);

    assertThat(operations.stream().map(text -> text.replaceFirst("\\d+ 0 ", "")))
        .containsExactly(
            "PUT default k1 5",
            "GET default k1",
            "GET default nope",
            "BATCH",
            "PUT default k2 100",
            "DELETE default k1",
            "BATCH_END",
            "BATCH",
            "GET default k1",
            "GET default k2",
            "BATCH_END",
            "DELETE_RANGE default a",
            "SCAN default k",
            "SCAN default");
    int cut = trace.length - 5; // within the record that ends the file
    assertThat(imported(Format.ROCKSDB, Arrays.copyOf(trace, cut))).hasSameSizeAs(operations);
    assertThat(Objects.requireNonNull(result).bad()).isEqualTo(1);
  }

  @Test
  void aFileOfAnotherFormatIsRefused() {
    String text = "lorem ipsum\n".repeat(300);

    for (Format format : List.of(Format.MONITOR, Format.TWITTER, Format.ROCKSDB)) {
      assertThatThrownBy(() -> imported(format, text)).isInstanceOf(CorruptException.class);
    }
  }
}
