// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pango/pangocairo.h>

// Macros that cast are not imported.
static inline void cpango_release(void *object) {
    g_object_unref(object);
}
