package io.kvstadium.bench.result;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes {@code results.json}. Each field is described in {@code
 * docs/internals/results.schema.json}.
 *
 * <p>Safe for all threads, but two writers of one file overwrite each other's work.
 */
public final class ResultsFile {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          // a newer Stadium of the same schema may have added fields that this one can do without
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .annotationIntrospector(new NullsOnlyWhereAllowed())
          .build();

  private static final ObjectWriter WRITER =
      MAPPER.writer(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));

  private static final String CHECKSUM = "checksum";

  private ResultsFile() {}

  /**
   * Writes results so that the file holds either its old content or all of the new, even if the
   * machine stops in between. Meant to be called after each trial.
   *
   * @throws StoreIoException if it cannot be written
   */
  public static void write(Results results, Path file) {
    Path absolute = file.toAbsolutePath();
    Path directory = absolute.getParent();
    Path temporary = absolute.resolveSibling(absolute.getFileName() + ".part");
    try {
      if (directory != null) {
        Files.createDirectories(directory);
      }
      Files.writeString(temporary, withChecksum(results));
      try (FileChannel written = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        // otherwise a power cut after the rename could leave an empty file under the new name
        written.force(true);
      }
      Files.move(
          temporary, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot write results to " + file + ": " + e + "; choose a place that can be written", e);
    }
  }

  private static String withChecksum(Results results) throws JacksonException {
    ObjectNode root = (ObjectNode) MAPPER.readTree(toJson(results));
    root.put(CHECKSUM, checksum(root));
    return WRITER.writeValueAsString(root) + "\n";
  }

  /** Of all that a file says. It finds what was edited by mistake or in passing, not a forger. */
  private static String checksum(ObjectNode root) {
    try {
      byte[] text = root.toString().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * Whether a file that {@link #read} can read says what {@link #write} wrote.
   *
   * @throws StoreIoException if it cannot be read
   */
  public static boolean isUnedited(Path file) {
    try {
      ObjectNode root = (ObjectNode) MAPPER.readTree(Files.readString(file));
      JsonNode written = root.remove(CHECKSUM);
      return written != null && written.asText().equals(checksum(root));
    } catch (IOException e) {
      throw new StoreIoException("cannot read results from " + file + ": " + e, e);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws BadArgumentException if there is no such file, it is not a results file, or a newer
   *     Stadium wrote it in a form unknown to this one
   * @throws StoreIoException if it cannot be read
   */
  public static Results read(Path file) {
    try {
      return parse(Files.readString(file), file.toString());
    } catch (NoSuchFileException e) {
      throw new BadArgumentException(
          "no results at " + file + ": give the path of a results.json", e);
    } catch (IOException e) {
      throw new StoreIoException("cannot read results from " + file + ": " + e, e);
    }
  }

  /** The text of the file. */
  public static String toJson(Results results) {
    try {
      return WRITER.writeValueAsString(results) + "\n";
    } catch (JacksonException e) {
      throw new IllegalStateException("results that cannot be written as JSON", e);
    }
  }

  /**
   * The results that a text holds.
   *
   * @param where where the text came from, for messages
   * @throws BadArgumentException as {@link #read} does
   */
  public static Results parse(String json, String where) {
    try {
      checkSchema(MAPPER.readTree(json), where);
      // parsed again, so that error messages can name the line
      return MAPPER.readValue(json, Results.class);
    } catch (JacksonException e) {
      throw malformed(e, where);
    }
  }

  private static void checkSchema(JsonNode root, String where) {
    JsonNode schema = root.get("schema");
    if (schema == null || !schema.isInt() || schema.intValue() < 1) {
      throw new BadArgumentException(
          where
              + " is not a Stadium results file: it has no schema number; give the results.json"
              + " that a run wrote");
    }
    if (schema.intValue() < Results.OLDEST || schema.intValue() > Results.SCHEMA) {
      throw new BadArgumentException(
          "%s has schema %d, and this Stadium reads %d to %d: measure again, or read it with Stadium %s"
              .formatted(
                  where,
                  schema.intValue(),
                  Results.OLDEST,
                  Results.SCHEMA,
                  root.path("stadium").asText("of the version that wrote it")));
    }
  }

  private static BadArgumentException malformed(JacksonException e, String where) {
    JsonLocation location = e.getLocation();
    String place =
        location == null || location.getLineNr() < 0
            ? where
            : where + ", line " + location.getLineNr() + ", column " + location.getColumnNr();
    String path =
        e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
            ? " at " + FieldPath.of(mapping.getPath())
            : "";
    return new BadArgumentException(
        place
            + ": not a results file"
            + path
            + ": "
            + e.getOriginalMessage()
            + "; repair the file or measure again",
        e);
  }

  /**
   * So that a damaged file is refused when it is read and not later in a report. What may be null
   * may be missing: an older Stadium did not know it.
   */
  private static final class NullsOnlyWhereAllowed extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public JsonSetter.Value findSetterInfo(Annotated member) {
      return isNeeded(member)
          ? JsonSetter.Value.forValueNulls(Nulls.FAIL)
          : super.findSetterInfo(member);
    }

    @Override
    public Boolean hasRequiredMarker(AnnotatedMember member) {
      return isNeeded(member);
    }

    private static boolean isNeeded(Annotated member) {
      return member instanceof AnnotatedParameter parameter
          && parameter.getDeclaringClass().isRecord()
          && !parameter
              .getDeclaringClass()
              .getRecordComponents()[parameter.getIndex()]
              .getAnnotatedType()
              .isAnnotationPresent(Nullable.class);
    }
  }
}
