package io.kvstadium.browse.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.github.luben.zstd.Zstd;
import io.kvstadium.browse.decode.Decoder.Input;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.codec.ExpiringCodec;
import io.kvstadium.store.codec.ExpiringCodec.Expiring;
import io.kvstadium.testsupport.Randomness;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.snappy.FramedSnappyCompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Values as other programs write them, guessed; and bytes that want to do harm. */
class DecodersTest {
  @Test
  void whatProgramsWriteIsGuessed() throws IOException {
    assertThat(guessed("plain text, ü".getBytes(UTF_8))).isEqualTo("text: plain text, ü");
    assertThat(guessed("{\"a\":[1,true,null,{}]}".getBytes(UTF_8)))
        .isEqualTo("json: {\"a\": [1, true, null, {}]}");
    assertThat(guessed(Codec.LONG.encode(-5L))).isEqualTo("long: -5");
    assertThat(guessed(ByteBuffer.allocate(8).putLong(7).array())).isEqualTo("int64-be: 7");
    assertThat(guessed(ByteBuffer.allocate(8).putLong(Long.reverseBytes(7)).array()))
        .isEqualTo("int64-le: 7");
    assertThat(guessed(ByteBuffer.allocate(8).putLong(1_700_000_000_000L).array()))
        .isEqualTo("time: 2023-11-14T22:13:20Z");
    UUID uuid = UUID.fromString("123e4567-e89b-42d3-a456-426614174000");
    assertThat(guessed(Codec.UUID.encode(uuid))).isEqualTo("uuid: " + uuid);
    assertThat(guessed(new CBORMapper().writeValueAsBytes(Map.of("n", List.of(1, "x")))))
        .isEqualTo("cbor: {\"n\": [1, \"x\"]}");
    assertThat(guessed(messagePack())).isEqualTo("messagepack: {\"n\": [1, \"x\"], \"e\": {}}");
    assertThat(guessed(HexFormat.of().parseHex("089601120774657374696e671a03089601")))
        .isEqualTo("protobuf: 1: 150, 2: \"testing\", 3: {1: 150}");
    ByteArrayOutputStream java = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(java)) {
      out.writeObject(new java.util.ArrayList<>(List.of(1)));
    }
    assertThat(guessed(java.toByteArray()))
        .isEqualTo(
            "java: Java objects of java.util.ArrayList, java.lang.Integer, java.lang.Number");
    assertThat(guessed(new byte[] {(byte) 0xfe, 1, (byte) 0xff})).isEqualTo("hex: 0xfe01ff");
  }

  @Test
  void whatIsCompressedIsUnfolded() throws IOException {
    byte[] plain = "{\"a\":1}".repeat(1).getBytes(UTF_8);

    assertThat(guessed(compressed(plain, GZIPOutputStream::new)))
        .isEqualTo("compressed: gzip of 7 bytes, json: {\"a\": 1}");
    assertThat(guessed(Zstd.compress(plain)))
        .isEqualTo("compressed: zstd of 7 bytes, json: {\"a\": 1}");
    assertThat(guessed(compressed(plain, FramedLZ4CompressorOutputStream::new)))
        .isEqualTo("compressed: lz4 of 7 bytes, json: {\"a\": 1}");
    assertThat(guessed(compressed(plain, FramedSnappyCompressorOutputStream::new)))
        .isEqualTo("compressed: snappy of 7 bytes, json: {\"a\": 1}");
  }

  @Test
  void whatTheLibraryPutsAroundAValueIsTakenOff() {
    byte[] json = "{\"a\":1}".getBytes(UTF_8);

    assertThat(guessed(Codec.checked(Codec.BYTES).encode(json)))
        .isEqualTo("checked: checksum fits, json: {\"a\": 1}");
    assertThat(guessed(new ExpiringCodec<>(Codec.BYTES).encode(new Expiring<>(1000, json))))
        .isEqualTo("expiring: expires 1970-01-01T00:00:01Z, json: {\"a\": 1}");
  }

  @Test
  void whatIsInItselfIsNotOpenedForEver() throws IOException {
    byte[] packed = "x".getBytes(UTF_8);
    for (int i = 0; i < 1000; i++) {
      packed = compressed(packed, GZIPOutputStream::new);
    }
    byte[] marks = new byte[1 << 20];
    Arrays.fill(marks, (byte) 0xee);

    assertThat(guessed(packed)).startsWith("compressed: gzip of ").contains("hex: 0x1f8b");
    assertThat(guessed(marks)).startsWith("expiring: ");
  }

  @Test
  void aTupleIsReadByItsComponents() {
    byte[] key = Codec.tuple(List.of(Codec.STRING, Codec.LONG)).encode(List.of("acme", 20L));

    assertThat(Decoders.named("string,long").decode(new Input(key, true, false)))
        .isEqualTo("acme | 20");
    assertThatThrownBy(() -> Decoders.named("string,short"))
        .isInstanceOf(BadArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "df7fffffff", // a map of 2 billion
        "dd7fffffff",
        "c67fffffff", // 2 GB of bytes
        "db7fffffff",
        "9b7fffffffffffffff",
        "5b7fffffffffffffff",
        "bf",
        "0affffffff0f",
        "1f8b08",
        "28b52ffd",
        "04224d18",
        "ff060000734e61507059",
        "aced0005737200ff",
      })
  void whatClaimsToBeLargeIsNotBelieved(String bytes) {
    for (boolean complete : new boolean[] {true, false}) {
      Input input = new Input(HexFormat.of().parseHex(bytes), complete, true);

      assertThat(Decoders.decode(Decoders.guess(List.of(input)), input).text()).isNotNull();
    }
  }

  @Test
  void noBytesBreakAnyDecoder() {
    var random = new java.util.Random(Randomness.seed("decoders"));
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      Input input = new Input(bytes, random.nextBoolean(), random.nextBoolean());
      for (String name : Decoders.names()) {
        assertThat(Decoders.decode(Decoders.named(name), input).text()).isNotNull();
      }
    }
  }

  private static String guessed(byte[] bytes) {
    Input input = new Input(bytes, true, false);
    Decoders.Decoded decoded = Decoders.decode(Decoders.ofTable(List.of(input)), input);
    return decoded.by() + ": " + decoded.text();
  }

  private interface Compressor {
    OutputStream on(OutputStream out) throws IOException;
  }

  private static byte[] compressed(byte[] plain, Compressor compressor) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = compressor.on(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  private static byte[] messagePack() throws IOException {
    try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
      packer.packMapHeader(2).packString("n").packArrayHeader(2).packInt(1).packString("x");
      packer.packString("e").packMapHeader(0);
      return packer.toByteArray();
    }
  }
}
