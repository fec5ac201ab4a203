/* Distilling, as a method: the row of distil.h. */
#pragma once

#include "learn/method/method.h"

extern const tr_method tr_distil_method;
