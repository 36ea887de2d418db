package io.kvstadium.server;

import java.util.List;
import java.util.Random;

/**
 * Scripts that call Lua's and Redis' libraries with what is easily got wrong, and return all that
 * comes of it as a text, the errors too.
 */
final class RandomScripts {
  private static final String SHOW =
      """
      local function show(v, depth)
        local t = type(v)
        if t == 'string' then return '"' .. v .. '"' end
        if t == 'number' then return string.format('%.17g', v) end
        if t ~= 'table' or depth > 6 then return t .. (t == 'boolean' and tostring(v) or '') end
        local all = {}
        for k, each in pairs(v) do all[#all + 1] = show(k, depth + 1) .. '=' .. show(each, depth + 1) end
        return '{' .. table.concat(all, ',') .. '}'
      end
      local function all(...)
        local shown = {}
        for i = 1, select('#', ...) do shown[i] = show((select(i, ...)), 0) end
        return table.concat(shown, ' ')
      end
      """;

  private static final List<String> PIECES =
      List.of(
          "a",
          "b",
          "B",
          "0",
          " ",
          ".",
          "%a",
          "%d",
          "%s",
          "%p",
          "%w",
          "%x",
          "%c",
          "%l",
          "%u",
          "%z",
          "%A",
          "%S",
          "%P",
          "[ab]",
          "[^a]",
          "[a-c%d]",
          "[%a_]",
          "[]]",
          "[^]]",
          "[a",
          "[]",
          "[%",
          "%",
          "(",
          ")",
          "()",
          "*",
          "+",
          "-",
          "?",
          "^",
          "$",
          "%b()",
          "%bab",
          "%b",
          "%f[%a]",
          "%f[%A]",
          "%f",
          "%1",
          "%2",
          "[a-]",
          "[-a]",
          "[%a-z]",
          "\\0",
          "\\128",
          "\\255",
          "[\\128-\\255]",
          "%%",
          "%.");

  private static final List<String> SUBJECTS =
      List.of(
          "", "a", "b", "ab", "(", ")", ",", " ", "A", "z", "Z", "0", "9", "_", "%", ".", "\\t",
          "\\n", "\\11", "\\0", "\\127", "\\128", "\\200", "\\233", "\\255", "Straße", "!", "/",
          "@", "[", "`", "{", "~");

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "1",
          "-1",
          "2",
          "10",
          "0.1",
          "1/3",
          "-1/3",
          "1e15",
          "1e16",
          "1e100",
          "-1e100",
          "1/0",
          "-1/0",
          "0/0",
          "2^31",
          "2^31-1",
          "-2^31",
          "2^32",
          "2^53",
          "2^53+1",
          "-2^53",
          "2^63",
          "-2^63",
          "1e308",
          "5e-324",
          "123456.789",
          "1700000000.123",
          "255",
          "256",
          "65535",
          "65536",
          "127",
          "128",
          "-128",
          "-129",
          "3.5",
          "-3.5",
          "2.5",
          "1e-5",
          "99999999999999",
          "100000000000000",
          "0.5",
          "1e14",
          "123456789012345");

  private static final List<String> NUMERALS =
      List.of(
          "",
          "-",
          "+",
          "0",
          "0x",
          "0x1",
          "-0x10",
          "0X1F",
          "0x.8",
          "0x1p4",
          "1e",
          "1e5",
          "1e+5",
          "e5",
          ".",
          ".5",
          "5.",
          "-.5",
          "inf",
          "nan",
          "-inf",
          "INF",
          "infinity",
          "1 2",
          "1_0",
          "z",
          "7fffffff",
          "ffffffffff",
          "08",
          "12",
          "1e400",
          "1e-400",
          "0b1",
          "1f",
          "1d",
          "\\0",
          "1\\0");

  private static final List<String> JSON =
      List.of(
          "1",
          "-1",
          "1.5",
          "1e5",
          "01",
          "-",
          "true",
          "false",
          "null",
          "tru",
          "\"a\"",
          "\"\\\\u00e9\"",
          "\"\\\\ud83d\\\\ude00\"",
          "\"\\\\ud83d\"",
          "\"\\\\x\"",
          "\"",
          "[",
          "]",
          "{",
          "}",
          ",",
          ":",
          " ",
          "[1,2]",
          "{\"a\":1}",
          "[[]]",
          "{}",
          "nan",
          "inf",
          "-inf",
          "0x10",
          "+1",
          ".5",
          "\\n",
          "\"a\\tb\"",
          "\\0",
          "\\255",
          "\"\\255\"",
          "1e999",
          "/");

  private static final List<String> FORMATS =
      List.of(
          ">", "<", "!", "!4", "!3", "b", "B", "h", "H", "l", "L", "T", "i", "I", "i2", "I3", "i8",
          "i16", "i33", "f", "d", "s", "c0", "c3", "x", " ", "z", "=");

  private final Random random;

  RandomScripts(long seed) {
    random = new Random(seed);
  }

  private String any(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String some(List<String> of, int max) {
    StringBuilder all = new StringBuilder();
    for (int left = random.nextInt(max + 1); left > 0; left--) {
      all.append(any(of));
    }
    return all.toString();
  }

  private static String quoted(String text) {
    return "'" + text + "'";
  }

  /** The next script. */
  String next() {
    String expression = expression();
    return switch (random.nextInt(8)) {
      case 0, 1 -> "local a, b, c = " + expression + " return {a, b, c}"; // with the error's line
      case 2 -> "\nreturn " + expression;
      case 3 -> SHOW + "return all(pcall(function() return " + expression + " end))";
      default ->
          SHOW
              + "return all(pcall(function() local a, b, c, d, e = "
              + expression
              + " return a, b, c, d, e end))";
    };
  }

  private String expression() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> pattern();
      case 3 -> format();
      case 4 -> number();
      case 5 -> "cjson.decode(" + quoted(some(JSON, 4)) + ")";
      case 6 -> "cjson.encode(" + value(0) + ")";
      case 7 ->
          random.nextBoolean() ? packed() : "cmsgpack.unpack(cmsgpack.pack(" + value(0) + "))";
      case 8 -> struct();
      case 9 -> bits();
      case 10 -> string();
      default -> failing();
    };
  }

  private String pattern() {
    String subject = quoted(some(SUBJECTS, 8));
    String pattern = quoted(some(PIECES, 5));
    return switch (random.nextInt(7)) {
      case 0 -> "string.find(%s, %s)".formatted(subject, pattern);
      case 1 -> "string.find(%s, %s, %s)".formatted(subject, pattern, any(NUMBERS));
      case 2 -> "string.match(%s, %s)".formatted(subject, pattern);
      case 3 ->
          "(function() local all = {} for a, b in string.gmatch(%s, %s) do all[#all + 1] = a"
                  .formatted(subject, pattern)
              + " all[#all + 1] = b or 0 if #all > 99 then break end end return all end)()";
      case 4 ->
          "string.gsub(%s, %s, %s)"
              .formatted(
                  subject,
                  pattern,
                  quoted(some(List.of("x", "%0", "%1", "%2", "%%", "%", "%a", "\\0"), 3)));
      case 5 ->
          "string.gsub(%s, %s, %s)"
              .formatted(
                  subject,
                  pattern,
                  any(
                      List.of(
                          "function(a, b) return b or a end",
                          "{a = 'x', b = 1, A = false, ab = {}}",
                          "function() return nil end",
                          "function() return {} end",
                          "function() error('e') end",
                          "function() error({err = 'T e'}) end",
                          "nil",
                          "5")));
      default -> "string.gsub(%s, %s, 'y', %s)".formatted(subject, pattern, any(NUMBERS));
    };
  }

  private String format() {
    StringBuilder format = new StringBuilder();
    StringBuilder arguments = new StringBuilder();
    for (int left = 1 + random.nextInt(2); left > 0; left--) {
      format.append('%').append(some(List.of("-", "+", " ", "#", "0"), 2));
      format.append(any(List.of("", "", "5", "20", "99", "100")));
      format.append(any(List.of("", "", ".0", ".", ".3", ".20", ".99", ".100")));
      format.append(
          any(
              List.of(
                  "d", "i", "u", "o", "x", "X", "e", "E", "f", "g", "G", "c", "q", "s", "%", "y",
                  "")));
      arguments
          .append(", ")
          .append(random.nextInt(3) == 0 ? quoted(some(SUBJECTS, 3)) : any(NUMBERS));
    }
    return "string.format('" + format + "'" + arguments + ")";
  }

  private String number() {
    String numeral =
        quoted(
            some(List.of(" ", "\\t", "\\n", "\\11", "x"), 1)
                + any(NUMERALS)
                + some(List.of(" ", "\\n", "x"), 1));
    return switch (random.nextInt(5)) {
      case 0 -> "tonumber(" + numeral + ")";
      case 1 ->
          "tonumber(%s, %s)".formatted(numeral, any(List.of("2", "10", "16", "36", "1", "37")));
      case 2 -> "tostring(" + any(NUMBERS) + ")";
      case 3 -> numeral + " + " + any(NUMBERS);
      default ->
          any(NUMBERS)
              + " "
              + any(List.of("+", "-", "*", "/", "%", "^", "..", "==", "<"))
              + " "
              + any(NUMBERS);
    };
  }

  private String value(int depth) {
    return switch (random.nextInt(depth > 2 ? 4 : 8)) {
      case 0 -> any(NUMBERS);
      case 1 -> quoted(some(SUBJECTS, 4));
      case 2 -> any(List.of("true", "false", "nil", "cjson.null", "print and 1 or 2", "tostring"));
      case 3 -> "string.rep('x', %d)".formatted(random.nextInt(300));
      case 4 -> "{%s, %s}".formatted(value(depth + 1), value(depth + 1));
      case 5 ->
          "{[%s] = %s}"
              .formatted(
                  any(List.of("1", "2", "20", "1.5", "-1", "'a'", "true", "0")), value(depth + 1));
      case 6 -> "{a = %s, b1 = %s, [3] = 1}".formatted(value(depth + 1), value(depth + 1));
      default -> "{}";
    };
  }

  private String packed() {
    StringBuilder bytes = new StringBuilder();
    for (int left = random.nextInt(9); left > 0; left--) {
      bytes.append(
          "\\%03d"
              .formatted(
                  random.nextInt(3) == 0 ? 0xc0 + random.nextInt(0x20) : random.nextInt(256)));
    }
    return switch (random.nextInt(3)) {
      case 0 -> "cmsgpack.unpack('" + bytes + "')";
      case 1 -> "cmsgpack.unpack_one('%s', %d)".formatted(bytes, random.nextInt(4) - 1);
      default ->
          "cmsgpack.unpack_limit('%s', %d, %d)"
              .formatted(bytes, random.nextInt(4) - 1, random.nextInt(3));
    };
  }

  private String struct() {
    String format = quoted(some(FORMATS, 4));
    return switch (random.nextInt(3)) {
      case 0 ->
          "struct.pack(%s, %s, %s, %s)"
              .formatted(format, any(NUMBERS), quoted(some(SUBJECTS, 4)), any(NUMBERS));
      case 1 -> "struct.unpack(%s, %s)".formatted(format, quoted(some(SUBJECTS, 12)));
      default -> "struct.size(" + format + ")";
    };
  }

  private String bits() {
    String name =
        any(
            List.of(
                "tobit", "bnot", "bswap", "band", "bor", "bxor", "lshift", "rshift", "arshift",
                "rol", "ror", "tohex"));
    return "bit.%s(%s, %s)"
        .formatted(
            name, any(NUMBERS), any(List.of("1", "8", "31", "33", "-1", "-4", "'7'", "2^32")));
  }

  private String string() {
    String text = quoted(some(SUBJECTS, 6));
    return switch (random.nextInt(8)) {
      case 0 -> "string.lower(" + text + ")";
      case 1 -> "string.upper(" + text + ")";
      case 2 ->
          "string.byte(%s, %s, %s)"
              .formatted(text, any(NUMBERS), any(List.of("1", "3", "-1", "9")));
      case 3 -> "string.sub(%s, %s, %s)".formatted(text, any(NUMBERS), any(NUMBERS));
      case 4 -> "string.rep(%s, %d)".formatted(text, random.nextInt(5) - 1);
      case 5 -> "string.char(%d, %d)".formatted(random.nextInt(300) - 20, random.nextInt(256));
      case 6 -> "%s < %s".formatted(text, quoted(some(SUBJECTS, 6)));
      default -> "(%s):reverse():len()".formatted(text);
    };
  }

  private String failing() {
    return any(
        List.of(
            "error('x')",
            "error('x', 0)",
            "error('x', 2)",
            "error()",
            "error({err = 'CODE x'})",
            "error(5)",
            "error(true)",
            "nothing.at.all",
            "redis.nothing()",
            "nil .. 'x'",
            "({}).a.b",
            "1 + {}",
            "1 < 'x'",
            "{} < {}",
            "#5",
            "redis.call()",
            "redis.call('nothing')",
            "redis.call('get')",
            "redis.call('get', {})",
            "redis.pcall('get', true)",
            "redis.pcall('lpop', 'k', 'x')",
            "redis.call('set', 'k', " + any(NUMBERS) + ")",
            "redis.call('incr', 'k')",
            "redis.call('get', 'k')",
            "redis.pcall('auth', 'x')",
            "redis.error_reply('X y')",
            "redis.error_reply('xy')",
            "redis.error_reply(1)",
            "redis.status_reply('fine')",
            "redis.sha1hex('" + some(SUBJECTS, 3) + "')",
            "redis.sha1hex()",
            "redis.setresp(4)",
            "redis.log(9, 'x')",
            "pcall(error, {err = 'E'})",
            "xpcall(function() error('x') end, function(m) return m end)",
            "loadstring('return ' .. " + quoted(any(NUMERALS)) + ")",
            "loadstring('\\27Lua')",
            "select(-1, 1, 2)",
            "select(0)",
            "unpack({1, 2, nil, 4}, 1, 4)",
            "unpack({}, 1, 1e6)",
            "select('#', unpack({}, 1, 7997))",
            "unpack({}, 1, 7998)",
            "setmetatable(1, {})",
            "setmetatable({}, 1)",
            "rawset(_G, 'x', 1)",
            "rawget({}, 1)",
            "next({}, 1)",
            "pairs()",
            "ipairs()",
            "table.concat({1, {}, 3})",
            "table.insert({}, 1, 2, 3)",
            "table.insert(5, 1)",
            "table.remove({}, 1)",
            "coroutine.wrap(function() error('c') end)()",
            "coroutine.resume(coroutine.create(function(a) return coroutine.yield(a) end), 7)",
            "coroutine.wrap(function() return redis.call('nothing') end)()",
            "getmetatable('').__index == string",
            "(function(...) return select('#', ...) end)(nil, nil)",
            "tostring(setmetatable({}, {__tostring = function() return 'T' end}))",
            "tostring(setmetatable({}, {__tostring = function() error('T') end}))"));
  }
}
