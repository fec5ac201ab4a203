/* A toy method: seeks the amplitude of a toy sway by random steps, of which those that lead nearer to a
 * goal are kept. It shows that one folder and one row make a method. */
#pragma once

#include "learn/method/method.h"

extern const tr_method toy_seek_method;
