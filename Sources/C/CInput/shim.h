// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <linux/input.h>
#include <linux/kd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

// Macros that call others are not imported. The sizes are those of the buffers in Swift.
enum { cinput_text_size = 256, cinput_key_bytes = KEY_MAX / 8 + 1 };
static const unsigned long cinput_get_identity = EVIOCGID;
static const unsigned long cinput_get_name = EVIOCGNAME(cinput_text_size);
static const unsigned long cinput_get_place = EVIOCGPHYS(cinput_text_size);
static const unsigned long cinput_get_known_keys = EVIOCGBIT(EV_KEY, cinput_key_bytes);
static const unsigned long cinput_get_keys_down = EVIOCGKEY(cinput_key_bytes);
static const unsigned long cinput_grab = EVIOCGRAB;

enum { cinput_axis_bytes = ABS_MAX / 8 + 1, cinput_property_bytes = INPUT_PROP_MAX / 8 + 1, cinput_most_slots = 16 };
static const unsigned long cinput_get_known_axes = EVIOCGBIT(EV_ABS, cinput_axis_bytes);
static const unsigned long cinput_get_properties = EVIOCGPROP(cinput_property_bytes);

// The values of one axis in all slots of a touch panel.
struct cinput_slots {
    __u32 code;
    __s32 values[cinput_most_slots];
};
static const unsigned long cinput_get_slots = EVIOCGMTSLOTS(sizeof(struct cinput_slots));

static inline unsigned int cinput_major(unsigned long device) { return major(device); }
static inline unsigned int cinput_minor(unsigned long device) { return minor(device); }

static inline unsigned long cinput_get_axis(unsigned int code) {
    return EVIOCGABS(code);
}

// ioctl takes a variable number of arguments, which Swift cannot call.
static inline int cinput_ioctl(int descriptor, unsigned long request, void *argument) {
    return ioctl(descriptor, request, argument);
}

// Has reports timed by the clock that nobody can set.
static inline int cinput_set_clock(int descriptor) {
    int monotonic = 1; // CLOCK_MONOTONIC of time.h, which would give this module a timespec of its own.
    return ioctl(descriptor, EVIOCSCLOCKID, &monotonic);
}

// The argument of a grab is a number, not an address.
static inline int cinput_ioctl_number(int descriptor, unsigned long request, long argument) {
    return ioctl(descriptor, request, argument);
}
