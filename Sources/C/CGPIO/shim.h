// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <linux/gpio.h>
#include <sys/ioctl.h>

// Macros that call others are not imported.
static const unsigned long cgpio_chip_info = GPIO_GET_CHIPINFO_IOCTL;
static const unsigned long cgpio_line_info = GPIO_V2_GET_LINEINFO_IOCTL;
static const unsigned long cgpio_request_lines = GPIO_V2_GET_LINE_IOCTL;
static const unsigned long cgpio_set_config = GPIO_V2_LINE_SET_CONFIG_IOCTL;
static const unsigned long cgpio_get_values = GPIO_V2_LINE_GET_VALUES_IOCTL;
static const unsigned long cgpio_set_values = GPIO_V2_LINE_SET_VALUES_IOCTL;

// ioctl takes a variable number of arguments, which Swift cannot call.
static inline int cgpio_ioctl(int descriptor, unsigned long request, void *argument) {
    return ioctl(descriptor, request, argument);
}
