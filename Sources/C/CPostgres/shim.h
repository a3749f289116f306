// SPDX-License-Identifier: Apache-2.0
#pragma once
// Debian's place for it.
#include <postgresql/libpq-fe.h>
