/* The methods of a program that brings a new one: this list is linked instead of methods.c. */
#include "toy/seek/seek.h"

const tr_method *const tr_methods[] = {&toy_seek_method, NULL};
