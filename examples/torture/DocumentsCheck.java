import io.kvstadium.store.Stadium;
import io.kvstadium.store.codec.Codec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The store names every acknowledged document, and the file has each document that it names. */
final class DocumentsCheck {
  /** Arguments: the directory. */
  public static void main(String[] args) throws Exception {
    long acknowledged = acknowledged();
    Path documents = Path.of(args[0], "documents");
    byte[] file = Files.exists(documents) ? Files.readAllBytes(documents) : new byte[0];
    var engine = System.getProperty("engine", "rocksdb");
    try (var store = Stadium.open(engine + ":" + args[0] + "/index")) {
      var ends = store.table("ends", Codec.LONG, Codec.LONG);
      long last = ends.get(0L) == null ? 0 : ends.get(0L);
      if (last < acknowledged) {
        fail("acknowledged " + acknowledged + ", the store knows " + last);
      }
      long begin = 0;
      for (long number = 1; number <= last; number++) {
        long end = ends.get(number);
        byte[] text = Arrays.copyOfRange(file, (int) begin, (int) end);
        if (!new String(text).equals("document %d\n".formatted(number))) {
          fail("document " + number + " is not in the file, which has " + file.length + " bytes");
        }
        begin = end;
      }
    }
  }

  private static long acknowledged() throws Exception {
    return new String(System.in.readAllBytes()).lines().mapToLong(Long::parseLong).max().orElse(0);
  }

  private static void fail(String message) {
    System.out.println(message);
    System.exit(1);
  }
}
