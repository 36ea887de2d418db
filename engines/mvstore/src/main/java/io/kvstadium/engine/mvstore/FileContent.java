package io.kvstadium.engine.mvstore;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** MVStore gives its file as an entry of a zip file only; here it is the file itself. */
final class FileContent extends ZipOutputStream {
  FileContent(OutputStream file) {
    super(file);
  }

  @Override
  public void putNextEntry(ZipEntry entry) {}

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
  }

  @Override
  public void closeEntry() {}

  @Override
  public void finish() {}
}
