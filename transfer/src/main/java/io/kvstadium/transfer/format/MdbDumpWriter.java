package io.kvstadium.transfer.format;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes what {@code mdb_load} reads. */
public final class MdbDumpWriter implements EntryWriter {
  private static final int BUFFER = 1 << 16;
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /**
   * The map that mdb_load makes is a sparse file of this length; a third is what trees may need.
   */
  private static final long LEAST_MAP = 1L << 30;

  private final OutputStream out;
  private final long mapSize;
  private boolean begun;

  /**
   * @param bytes roughly how many there will be
   */
  public MdbDumpWriter(OutputStream out, long bytes) {
    this.out = new BufferedOutputStream(out, BUFFER);
    this.mapSize = Math.max(LEAST_MAP, (bytes * 3) & -LEAST_MAP);
  }

  @Override
  public void table(String name) throws IOException {
    endTable();
    begun = true;
    text(
        "VERSION=3\nformat=bytevalue\ndatabase="
            + name
            + "\ntype=btree\nmapsize="
            + mapSize
            + "\nmaxreaders=126\ndb_pagesize=4096\nHEADER=END\n");
  }

  @Override
  public void entry(byte[] key, byte[] value) throws IOException {
    line(key);
    line(value);
  }

  private void line(byte[] bytes) throws IOException {
    out.write(' ');
    for (byte each : bytes) {
      out.write(DIGITS[(each >> 4) & 0xf]);
      out.write(DIGITS[each & 0xf]);
    }
    out.write('\n');
  }

  private void endTable() throws IOException {
    if (begun) {
      text("DATA=END\n");
    }
  }

  private void text(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void end(ContentSum sum) throws IOException {
    endTable();
    out.flush();
  }
}
