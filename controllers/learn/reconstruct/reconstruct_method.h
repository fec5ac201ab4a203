/* Reconstruction as a method (method/method.h). Its result is two files: the simulated motion and,
 * behind it with the ending .control.json, the control. */
#pragma once

#include "learn/method/method.h"

extern const tr_method tr_reconstruct_method;
