/* Reads tasks: objects of JSON, as text. A value is the place at which it begins. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>

/* The value that an object has under a name, or NULL. */
const char *json_member(const char *object, const char *name);

/* The first value of a list and the one after another, or NULL. */
const char *json_first(const char *list);
const char *json_next(const char *value);

/* The string, to be freed, that an object has under a name; NULL if it has none. */
char *json_string(const char *object, const char *name);

/* 0 if it has none. */
double json_number(const char *object, const char *name);

bool json_true(const char *object, const char *name);

/* Prints a string. */
void json_print(const char *text);

#endif
