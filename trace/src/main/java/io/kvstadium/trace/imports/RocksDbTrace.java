package io.kvstadium.trace.imports;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Store;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * RocksDB's traces of queries (DB::StartTrace), version 0.2: records of a time in microseconds, a
 * type and a length, 13 bytes in all, and what the type has. It knows no results, no threads, and
 * of an iterator only its seeks.
 */
final class RocksDbTrace {
  private static final int RECORD_HEADER = 13;
  private static final int MAX_RECORD = 1 << 30;
  private static final int BEGIN = 1;
  private static final int END = 2;
  private static final int WRITE = 3;
  private static final int GET = 4;
  private static final int SEEK = 5;
  private static final int SEEK_FOR_PREV = 6;
  private static final int MULTI_GET = 13;
  private static final int LOWER_BOUND = 6;
  private static final int UPPER_BOUND = 7;

  private final Output output;

  RocksDbTrace(Output output) {
    this.output = output;
  }

  static boolean begins(byte[] first) {
    return new String(first, ISO_8859_1).startsWith("feedcafedeadbeef", RECORD_HEADER);
  }

  /** Reads the next record; false at the end. */
  boolean record(InputStream in) throws IOException, BadRecord {
    byte[] head = in.readNBytes(RECORD_HEADER);
    if (head.length == 0) {
      return false;
    }
    ByteBuffer header = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    if (head.length < RECORD_HEADER) {
      throw cut();
    }
    long microseconds = header.getLong();
    int type = header.get();
    int length = header.getInt();
    if (length < 0 || length > MAX_RECORD) {
      throw new CorruptException(
          "a record has a length of " + length + " bytes: the file is damaged before it");
    }
    byte[] payload = in.readNBytes(length);
    if (payload.length < length) {
      throw cut();
    }
    ByteBuffer record = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
    output.at("", microseconds * 1000);
    try {
      take(type, record);
    } catch (BufferUnderflowException e) {
      throw new BadRecord("it ends before its last field");
    }
    return type != END;
  }

  private static BadRecord cut() {
    return new BadRecord("the file ends within it");
  }

  private void take(int type, ByteBuffer record) throws BadRecord, IOException {
    switch (type) {
      case BEGIN -> {
        String text = ISO_8859_1.decode(record).toString();
        if (text.contains("Trace Version: 0.1\t")) {
          throw new CorruptException(
              "this trace has version 0.1: RocksDB writes 0.2 since version 6.19");
        }
      }
      case WRITE -> {
        record.getLong();
        batch(ByteBuffer.wrap(bytes(record)).order(ByteOrder.LITTLE_ENDIAN));
      }
      case GET -> {
        record.getLong();
        output.add(Kind.GET, table(record.getInt()), bytes(record), -1);
      }
      case SEEK, SEEK_FOR_PREV -> seek(record, type == SEEK_FOR_PREV);
      case MULTI_GET -> {
        record.getLong();
        int count = record.getInt();
        ByteBuffer tables = ByteBuffer.wrap(bytes(record)).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer keys = ByteBuffer.wrap(bytes(record));
        output.bound(Kind.BATCH, "");
        for (int i = 0; i < count; i++) {
          output.add(Kind.GET, table(tables.getInt()), bytes(keys), -1);
        }
        output.bound(Kind.BATCH_END, "");
      }
      case END -> {}
      default -> output.unsupported("records of type " + type);
    }
  }

  private void seek(ByteBuffer record, boolean reversed) throws BadRecord, IOException {
    long fields = record.getLong();
    String table = table(record.getInt());
    byte[] key = bytes(record);
    byte[] lower = (fields & 1 << LOWER_BOUND) == 0 ? null : bytes(record);
    byte[] upper = (fields & 1 << UPPER_BOUND) == 0 ? null : bytes(record);
    if (reversed) {
      output.range(Kind.SCAN, table, lower, key, -1, Operation.REVERSED | Operation.TO_INCLUSIVE);
    } else {
      output.range(Kind.SCAN, table, key, upper, -1, 0);
    }
  }

  /** A write batch: sequence number, count, and records with a tag each. */
  private void batch(ByteBuffer batch) throws BadRecord, IOException {
    batch.getLong();
    int count = batch.getInt();
    if (count > 1) {
      output.bound(Kind.BATCH, "");
    }
    while (batch.hasRemaining()) {
      int tag = batch.get();
      String table =
          switch (tag) {
            case 4, 5, 6, 8, 14 -> table(varint(batch));
            default -> Store.DEFAULT_TABLE;
          };
      switch (tag) {
        case 0, 4, 7, 8 -> output.add(Kind.DELETE, Outcome.OK, table, bytes(batch), -1);
        case 1, 5 -> {
          byte[] key = bytes(batch);
          output.add(Kind.PUT, Outcome.OK, table, key, bytes(batch).length);
        }
        case 2, 6 -> { // a merge reads, later
          bytes(batch);
          bytes(batch);
          output.unsupported("merge");
        }
        case 14, 15 -> {
          byte[] from = bytes(batch);
          output.range(Kind.DELETE_RANGE, table, from, bytes(batch), -1, 0);
        }
        case 3, 10, 11, 12 -> bytes(batch); // blobs of the log, names of transactions
        case 9, 13 -> {}
        default -> throw new BadRecord("its batch has a tag " + tag + " that is not known here");
      }
    }
    if (count > 1) {
      output.bound(Kind.BATCH_END, "");
    }
  }

  private static String table(int family) {
    return family == 0 ? Store.DEFAULT_TABLE : "cf" + family;
  }

  private static byte[] bytes(ByteBuffer in) throws BadRecord {
    int length = varint(in);
    if (length < 0 || length > in.remaining()) {
      throw new BadRecord("one of its fields is longer than it");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static int varint(ByteBuffer in) {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
