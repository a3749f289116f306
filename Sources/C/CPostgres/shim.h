// SPDX-License-Identifier: Apache-2.0
#pragma once
// Debian's place for it.
#include <postgresql/libpq-fe.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
