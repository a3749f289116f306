// SPDX-License-Identifier: Apache-2.0
// Nothing to call: a program that links this room has Foundation without tables of languages, see stubdata.c.
#pragma once
