/* What the seeds of recordings are made of, and what the target replays them with: one humanoid. */
#pragma once

#include "server/catalogue/cast.h"

/* Made once; lives as long as the program. Aborts without memory or file. */
const tr_cast *recorded_cast(void);
