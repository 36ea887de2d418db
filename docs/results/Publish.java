import io.kvstadium.bench.result.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Takes the checkout's own place out of results that are published, and writes them as bench does. */
final class Publish {
  private Publish() {}

  /**
   * @param args the checkout's directory, and a results.json
   */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[1]);
    Files.writeString(file, Files.readString(file).replace(args[0] + "/", "/kv-stadium/"));
    ResultsFile.write(ResultsFile.read(file), file);
  }
}
