#include "json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

static const char *token(const char *at) {
  while (isspace((unsigned char)*at)) {
    at++;
  }
  return at;
}

/* The quote that ends the string that begins at another. */
static const char *closing(const char *quote) {
  for (const char *at = quote + 1; *at != 0; at++) {
    if (*at == '"') {
      return at;
    }
    at += *at == '\\' && at[1] != 0;
  }
  fail("a task is not JSON: a string does not end");
}

/* What follows a value: a comma, or the end of what it is in. */
static const char *after(const char *value) {
  int depth = 0;
  for (const char *at = value; *at != 0; at++) {
    if (*at == '"') {
      at = closing(at);
    } else if (*at == '{' || *at == '[') {
      depth++;
    } else if (*at == '}' || *at == ']') {
      if (depth-- == 0) {
        return at;
      }
    } else if (*at == ',' && depth == 0) {
      return at;
    }
  }
  fail("a task is not JSON: it ends too early");
}

const char *json_next(const char *value) {
  const char *at = after(value);
  return *at == ',' ? token(at + 1) : NULL;
}

const char *json_first(const char *list) {
  const char *at = token(list + 1);
  return *at == ']' || *at == '}' ? NULL : at;
}

const char *json_member(const char *object, const char *name) {
  if (object == NULL || *token(object) != '{') {
    return NULL;
  }
  for (const char *at = json_first(token(object)); at != NULL; at = json_next(at)) {
    const char *end = *at == '"' ? closing(at) : at;
    const char *colon = *end == 0 ? end : token(end + 1);
    if (*at != '"' || *colon != ':') {
      fail("a task is not JSON: there is no name");
    }
    if (strlen(name) == (size_t)(end - at - 1) && strncmp(name, at + 1, strlen(name)) == 0) {
      return token(colon + 1);
    }
  }
  return NULL;
}

/* Writes a character as UTF-8. */
static char *encode(char *out, unsigned code) {
  if (code < 0x80) {
    *out++ = (char)code;
  } else if (code < 0x800) {
    *out++ = (char)(0xc0 | code >> 6);
    *out++ = (char)(0x80 | (code & 0x3f));
  } else {
    *out++ = (char)(0xe0 | code >> 12);
    *out++ = (char)(0x80 | (code >> 6 & 0x3f));
    *out++ = (char)(0x80 | (code & 0x3f));
  }
  return out;
}

char *json_string(const char *object, const char *name) {
  const char *at = json_member(object, name);
  if (at == NULL || *at != '"') {
    return NULL;
  }
  static const char escapes[] = "b\bf\fn\nr\rt\t";
  const char *end = closing(at);
  char *text = allocate((size_t)(end - at), 1), *out = text;
  for (at++; at < end; at++) {
    if (*at != '\\') {
      *out++ = *at;
    } else if (*++at == 'u' && at + 4 < end) {
      char digits[5] = {at[1], at[2], at[3], at[4], 0};
      out = encode(out, (unsigned)strtoul(digits, NULL, 16));
      at += 4;
    } else {
      const char *escape = strchr(escapes, *at);
      *out++ = escape == NULL ? *at : escape[1];
    }
  }
  return text;
}

double json_number(const char *object, const char *name) {
  const char *at = json_member(object, name);
  return at == NULL ? 0 : strtod(at, NULL);
}

bool json_true(const char *object, const char *name) {
  const char *at = json_member(object, name);
  return at != NULL && *at == 't';
}

void json_print(const char *text) {
  putchar('"');
  for (; *text != 0; text++) {
    if (*text == '"' || *text == '\\') {
      putchar('\\');
    }
    putchar((unsigned char)*text < ' ' ? ' ' : *text);
  }
  putchar('"');
}
