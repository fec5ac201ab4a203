/* The guide of a bundle: what each controller is for, read from a list in JSON. */
#ifndef TROUPE_TOOLS_GUIDE_H
#define TROUPE_TOOLS_GUIDE_H

#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_bundle_guide;

#endif
