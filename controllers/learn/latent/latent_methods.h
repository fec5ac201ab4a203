/* Fitting a latent space, and learning a policy in it, as methods (method/method.h). Their results are
 * files (latent_file.h). */
#pragma once

#include "learn/method/method.h"

extern const tr_method tr_latent_fit_method, tr_latent_task_method;
