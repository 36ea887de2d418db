package io.kvstadium.browse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.browse.Request.Reply;
import io.kvstadium.browse.decode.Decoder;
import io.kvstadium.browse.decode.Decoder.Input;
import io.kvstadium.browse.decode.Decoders;
import io.kvstadium.browse.look.Changes;
import io.kvstadium.browse.look.Changes.Change;
import io.kvstadium.browse.look.Hex;
import io.kvstadium.browse.look.Listing;
import io.kvstadium.browse.look.Listing.Found;
import io.kvstadium.browse.look.Prefixes;
import io.kvstadium.browse.look.Sample;
import io.kvstadium.browse.look.ServedKeys;
import io.kvstadium.browse.place.Opened;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.internal.open.Stores;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The endpoints that the page asks; answers are JSON. Safe for all threads. */
final class Api {
  static final String JSON = "application/json; charset=utf-8";

  /** How much of a value is shown; the rest is a download. */
  private static final int SHOWN = 1 << 20;

  /** How much of a value is shown as bytes beside its text. */
  private static final int BYTES = 1 << 12;

  private static final int PAGE = 50;
  private static final int MAX_PAGE = 500;
  private static final int MAX_BODY = 24 << 20;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final List<Opened> stores;
  private final @Nullable Changes changes;
  private final Map<String, List<Decoder>> guesses = new ConcurrentHashMap<>();
  private final Jobs jobs = new Jobs(this);
  private final Object reading = new Object();

  /**
   * Answers for stores that somebody else closes.
   *
   * @param stores one, or two to compare
   * @param write whether the first may be changed
   */
  Api(List<Opened> stores, boolean write) {
    this.stores = List.copyOf(stores);
    this.changes = write ? new Changes(stores.getFirst().store()) : null;
  }

  /** Asks what the page asks first, so that its first answer does not wait for classes. */
  void warmUp() {
    for (String table : stores.getFirst().store().tables()) {
      Request first =
          new Request(
              "GET", "entries", Map.of("table", table), InputStream.nullInputStream(), _ -> true);
      try {
        answer(first, (_, _, _) -> OutputStream.nullOutputStream());
      } catch (IOException e) {
        throw new UncheckedIOException(e); // nothing is written
      }
      return;
    }
  }

  /** Answers; failures too, as far as nothing was answered yet. */
  void answer(Request request, Reply reply) throws IOException {
    try {
      Object answer = answer(request);
      if (answer != null) {
        json(reply, 200, answer);
      } else if (request.path().equals("raw")) {
        raw(request, reply);
      } else if (!jobs.answer(request, reply)) {
        json(reply, 404, Map.of("error", "there is nothing at " + request.path()));
      }
    } catch (BadArgumentException e) {
      json(reply, 400, Map.of("error", message(e)));
    } catch (ConflictException e) {
      json(reply, 409, Map.of("error", message(e)));
    } catch (StadiumException e) {
      json(reply, 500, Map.of("error", message(e)));
    } catch (OutOfMemoryError e) { // of an engine that reads a large value as a whole
      json(reply, 500, Map.of("error", "this takes more memory: set STADIUM_JAVA_OPTS=-Xmx2g"));
    }
  }

  static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  static void json(Reply reply, int status, Object answer) throws IOException {
    try (OutputStream out = reply.begin(status, JSON, Map.of())) {
      out.write(MAPPER.writeValueAsBytes(answer));
    }
  }

  private @Nullable Object answer(Request request) {
    if (request.method().equals("POST")) {
      return switch (request.path()) {
        case "change" -> change(request);
        case "undo" -> shown(changes().undo(request.number("id", 0, Integer.MAX_VALUE)));
        default -> null;
      };
    }
    return switch (request.path()) {
      case "store" -> stores.stream().map(each -> describe(each, request)).toList();
      case "table", "entries", "value" -> {
        // some engines read values whole, and two large ones at a time may be more than the heap
        synchronized (reading) {
          yield switch (request.path()) {
            case "table" -> size(request);
            case "entries" -> entries(request);
            default -> value(request);
          };
        }
      }
      case "elements" -> elements(request);
      case "prefixes" -> prefixes(request);
      case "count" -> Map.of("count", table(request).count(range(request)));
      case "statistics" -> statistics(request);
      case "changes" -> changes().done().stream().map(Api::shown).toList();
      default -> null;
    };
  }

  private Map<String, Object> describe(Opened opened, Request request) {
    Store store = opened.store();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", opened.given());
    all.put("description", opened.description());
    all.put("engine", store.engine().name());
    all.put("version", store.engine().version());
    all.put("durability", store.durability().word());
    all.put("copied", opened.copy() != null);
    all.put("bytes", store.sizeOnDisk());
    all.put("writable", changes != null && opened.equals(stores.getFirst()));
    all.put("incomplete", Stores.incomplete(store) != null);
    all.put("tables", store.tables().stream().filter(request.readable()).toList());
    all.put("unreadable", Stores.unreadable(store));
    all.put("decoders", Decoders.names());
    return all;
  }

  Opened opened(Request request) {
    return stores.get(request.number("store", 0, stores.size() - 1));
  }

  /** The table of a request; with an index, that of the left or right of two stores. */
  Table<byte[], byte[]> table(Opened opened, Request request) {
    String name = request.need("table");
    if (!opened.store().tables().contains(name)) {
      throw new BadArgumentException(opened.given() + " has no table '" + name + "'");
    }
    if (!request.readable().test(name)) {
      throw new BadArgumentException("this user may not read table '" + name + "'");
    }
    return opened.store().table(name);
  }

  Table<byte[], byte[]> table(Request request) {
    return table(opened(request), request);
  }

  List<Opened> stores() {
    return stores;
  }

  /** The range that a request asks for. */
  static Range<byte[]> range(Request request) {
    Range<byte[]> range = Range.prefix(Hex.parse(request.get("prefix", "")));
    String from = request.get("from");
    String after = request.get("after");
    String before = request.get("before");
    if (from != null) {
      range = later(range, Hex.parse(from), true);
    } else if (after != null) {
      range = later(range, Hex.parse(after), false);
    } else if (before != null) {
      byte[] key = Hex.parse(before);
      range = (range.belowTo(key) ? range.to(key, false) : range).reverse();
    }
    return request.get("last") == null ? range : range.reverse();
  }

  private static Range<byte[]> later(Range<byte[]> range, byte[] key, boolean inclusive) {
    return range.aboveFrom(key) ? range.from(key, inclusive) : range;
  }

  private Map<String, Object> size(Request request) {
    Opened opened = opened(request);
    Table<byte[], byte[]> table = table(opened, request);
    Sample sample = sample(opened, table, 1000, TimeUnit.MILLISECONDS.toNanos(150), true);
    Map<String, Object> size = new LinkedHashMap<>();
    size.put("entries", Math.round(sample.count()));
    size.put("bytes", Math.round(sample.bytes()));
    size.put("exact", sample.exact());
    return size;
  }

  /** A sample of a table; the engine knows better how many entries there are. */
  static Sample sample(
      Opened opened, Table<byte[], byte[]> table, int size, long nanoseconds, boolean values) {
    Sample sample = Sample.of(table, Range.all(), size, System.nanoTime() + nanoseconds, values);
    return opened.store().capabilities().contains(Capability.ESTIMATED_COUNT)
        ? sample.scaled((double) table.estimateCount())
        : sample;
  }

  private List<Decoder> decoders(Request request, Table<byte[], byte[]> table) {
    List<Decoder> guessed =
        guesses.computeIfAbsent(
            request.number("store", 0, 1) + " " + table.name(),
            _ -> Listing.guess(Listing.read(table, Range.all(), MAX_PAGE / 5).entries()));
    String keys = request.get("keys");
    String values = request.get("values");
    return List.of(
        keys == null ? guessed.getFirst() : Decoders.named(keys),
        values == null ? guessed.getLast() : Decoders.named(values));
  }

  Listing.Line line(Request request, Table<byte[], byte[]> table, Found entry) {
    List<Decoder> decoders = decoders(request, table);
    return Listing.line(entry, decoders.getFirst(), decoders.getLast());
  }

  private Map<String, Object> entries(Request request) {
    Table<byte[], byte[]> table = table(request);
    boolean served = ServedKeys.isServed(table) && request.get("plain") == null;
    List<Decoder> decoders = decoders(request, table);
    Range<byte[]> range = range(request);
    if (served && request.get("prefix") == null) {
      byte[] keys = {'k'};
      byte[] end = {'k' + 1};
      range = later(range, keys, true);
      range = range.belowTo(end) ? range.to(end, false) : range;
    }
    Listing.Page page = Listing.read(table, range, request.number("limit", PAGE, MAX_PAGE));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("served", served);
    answer.put("keys", decoders.getFirst().name());
    answer.put("values", decoders.getLast().name());
    answer.put("more", page.more());
    answer.put("damage", page.damage());
    answer.put(
        "entries",
        page.entries().stream()
            .map(each -> served ? servedLine(each) : line(request, table, each))
            .toList());
    return answer;
  }

  private static Listing.Line servedLine(Found entry) {
    String text = servedName(entry.key());
    String value;
    try {
      ServedKeys.Header header = ServedKeys.header(entry.value().bytes());
      byte[] bytes = entry.value().bytes();
      byte[] content = Arrays.copyOfRange(bytes, header.start(), bytes.length);
      value =
          header.kind()
              + (header.elements() < 0
                  ? ": "
                      + Decoders.decode(
                              Decoders.named("text"),
                              new Input(content, bytes.length == entry.value().length(), false))
                          .text()
                  : " of " + header.elements())
              + (header.expires() == null ? "" : ", expires " + header.expires());
    } catch (CorruptException e) {
      value = message(e);
    }
    return new Listing.Line(Hex.of(entry.key()), text, value, entry.value().length());
  }

  private static String servedName(byte[] key) {
    return decoded(Decoders.named("text"), Arrays.copyOfRange(key, 1, key.length));
  }

  private static String decoded(Decoder decoder, byte[] bytes) {
    return Decoders.decode(decoder, new Input(bytes, true, false)).text();
  }

  private Map<String, Object> value(Request request) {
    Table<byte[], byte[]> table = table(request);
    byte[] key = Hex.parse(request.need("key"));
    byte[] into = new byte[SHOWN];
    int length = table.head(key, into);
    if (length < 0) {
      throw new BadArgumentException("there is no such entry; it may have been deleted meanwhile");
    }
    byte[] bytes = Arrays.copyOf(into, Math.min(length, SHOWN));
    List<Decoder> decoders = decoders(request, table);
    boolean complete = bytes.length == length;
    Map<String, Object> answer = new LinkedHashMap<>();
    boolean served = ServedKeys.isServed(table) && key.length > 0 && key[0] == 'k';
    if (served) {
      ServedKeys.Header header = ServedKeys.header(bytes);
      answer.put("header", header);
      bytes = Arrays.copyOfRange(bytes, header.start(), bytes.length);
    }
    Decoders.Decoded decoded =
        Decoders.decode(decoders.getLast(), new Input(bytes, complete, true));
    answer.put("length", length);
    answer.put("complete", complete);
    answer.put("by", decoded.by());
    answer.put("text", decoded.text());
    answer.put("key", served ? servedName(key) : decoded(decoders.getFirst(), key));
    boolean whole = complete && bytes.length <= BYTES;
    byte[] start = whole ? bytes : Arrays.copyOf(bytes, Math.min(bytes.length, BYTES));
    answer.put("hex", Decoders.HEX.decode(new Input(start, whole, true)));
    if (changes != null && complete) {
      answer.put("base64", Base64.getEncoder().encodeToString(bytes));
    }
    return answer;
  }

  private Object elements(Request request) {
    Table<byte[], byte[]> table = table(request);
    byte[] head = new byte[256];
    int length = table.head(Hex.parse(request.need("key")), head);
    if (length < 0) {
      throw new BadArgumentException("there is no such key any more");
    }
    ServedKeys.Header header =
        ServedKeys.header(Arrays.copyOf(head, Math.min(length, head.length)));
    return ServedKeys.elements(table, header, request.get("from"), MAX_PAGE / 5);
  }

  private Object prefixes(Request request) {
    Table<byte[], byte[]> table = table(request);
    return Prefixes.below(
        table,
        Hex.parse(request.get("prefix", "")),
        Hex.parse(request.get("separators", "3a2f7c00")),
        decoders(request, table).getFirst());
  }

  private Object statistics(Request request) {
    try {
      return opened(request).store().stats();
    } catch (UnsupportedException e) {
      return Map.of(); // there are none as it was opened
    }
  }

  private void raw(Request request, Reply reply) throws IOException {
    Table<byte[], byte[]> table = table(request);
    byte[] key = Hex.parse(request.need("key"));
    Map<String, String> headers =
        Map.of("Content-Disposition", "attachment; filename=\"value.bin\"");
    try {
      Boolean found =
          table.get(
              key,
              value -> {
                try (OutputStream out = reply.begin(200, "application/octet-stream", headers)) {
                  long size = value.byteSize();
                  for (long at = 0; at < size; at += 1 << 16) {
                    out.write(
                        value
                            .asSlice(at, Math.min(1 << 16, size - at))
                            .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
                  }
                  return true;
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      if (found == null) {
        throw new BadArgumentException("there is no such entry");
      }
    } catch (UncheckedIOException e) {
      throw new IOException("the download was ended", e);
    }
  }

  private Changes changes() {
    if (changes == null) {
      throw new BadArgumentException("the store is open read-only: start browse with --write");
    }
    return changes;
  }

  private Object change(Request request) {
    try {
      byte[] body = request.body().readNBytes(MAX_BODY + 1);
      if (body.length > MAX_BODY) {
        throw new BadArgumentException("a change may have 16 MB: use stadium put for more");
      }
      JsonNode asked = MAPPER.readTree(body);
      List<Change> wanted = new ArrayList<>();
      for (JsonNode each : asked.path("changes")) {
        wanted.add(
            new Change(
                Hex.parse(each.path("key").asText()),
                bytes(each.path("expected")),
                bytes(each.path("value"))));
      }
      return shown(changes().make(asked.path("table").asText(), wanted));
    } catch (IOException e) {
      throw new BadArgumentException("the change is no JSON: " + e.getMessage(), e);
    }
  }

  private static byte @Nullable [] bytes(JsonNode node) throws IOException {
    return node.isTextual() ? node.binaryValue() : null;
  }

  private static Map<String, Object> shown(Changes.Done done) {
    List<Map<String, Object>> each = new ArrayList<>();
    for (Change change : done.changes()) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("id", Hex.of(change.key()));
      map.put("key", brief(change.key()));
      map.put("before", brief(change.expected()));
      map.put("after", brief(change.value()));
      each.add(map);
    }
    return Map.of("id", done.id(), "time", done.time(), "table", done.table(), "changes", each);
  }

  private static @Nullable String brief(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    Input input = new Input(bytes, true, false);
    String text = Decoders.decode(Decoders.guess(List.of(input)), input).text();
    return text.length() > 200 ? text.substring(0, 200) + "…" : text;
  }
}
