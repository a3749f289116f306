// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <linux/input.h>
#include <linux/kd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>

// Macros that call others are not imported. The sizes are those of the buffers in Swift.
enum { cinput_text_size = 256, cinput_key_bytes = KEY_MAX / 8 + 1 };
static const unsigned long cinput_get_identity = EVIOCGID;
static const unsigned long cinput_get_name = EVIOCGNAME(cinput_text_size);
static const unsigned long cinput_get_place = EVIOCGPHYS(cinput_text_size);
static const unsigned long cinput_get_known_keys = EVIOCGBIT(EV_KEY, cinput_key_bytes);
static const unsigned long cinput_get_keys_down = EVIOCGKEY(cinput_key_bytes);
static const unsigned long cinput_grab = EVIOCGRAB;

// ioctl takes a variable number of arguments, which Swift cannot call.
static inline int cinput_ioctl(int descriptor, unsigned long request, void *argument) {
    return ioctl(descriptor, request, argument);
}

// The argument of a grab is a number, not an address.
static inline int cinput_ioctl_number(int descriptor, unsigned long request, long argument) {
    return ioctl(descriptor, request, argument);
}
