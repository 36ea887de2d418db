import io.kvstadium.store.Stadium;
import io.kvstadium.store.codec.Codec;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Documents in a file that only grows, and where each begins, in a store beside it. */
final class Documents {
  /** Arguments: the directory; then "careless", which trusts the file without syncing it first. */
  public static void main(String[] args) throws Exception {
    var engine = System.getProperty("engine", "rocksdb");
    try (var store = Stadium.open(engine + ":" + args[0] + "/index?durability=power");
        var file =
            FileChannel.open(
                Path.of(args[0], "documents"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var directory = FileChannel.open(Path.of(args[0]))) {
      directory.force(true); // the file's name
      var ends = store.table("ends", Codec.LONG, Codec.LONG); // by number of the document
      long number = ends.get(0L) == null ? 0 : ends.get(0L);
      long end = number == 0 ? 0 : ends.get(number);
      file.truncate(end); // what no entry of the store names was not acknowledged
      while (true) {
        byte[] text = "document %d\n".formatted(++number).getBytes();
        end += file.write(ByteBuffer.wrap(text), end);
        if (args.length == 1) {
          file.force(true); // before the store says that it is there
        }
        long last = number;
        long length = end;
        store.write(batch -> {
          batch.put(ends, last, length);
          batch.put(ends, 0L, last);
        });
        System.out.println(number); // acknowledged
      }
    }
  }
}
