// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <libpsl.h>

// Both sections of the list, and no rule for names that it does not have. Made of several macros, which Swift leaves out.
static const int login_kiosk_psl_listed = PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE;
