/* The commands of the methods: one for each row of learn/method. */
#pragma once

#include "learn/method/method.h"

/* Runs it with the words behind the command; returns an exit code. */
int tr_method_exec(const tr_method *method, int argc, char **argv);
