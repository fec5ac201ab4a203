/* Distilling, as a method: the row of distil.h. */
#ifndef TROUPE_LEARN_DISTIL_METHOD_H
#define TROUPE_LEARN_DISTIL_METHOD_H

#include "learn/method/method.h"

extern const tr_method tr_distil_method;

#endif
