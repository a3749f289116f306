// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <errno.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Macros that call others are not imported.
static const unsigned long cv4l2_query_capability = VIDIOC_QUERYCAP;
static const unsigned long cv4l2_enumerate_formats = VIDIOC_ENUM_FMT;
static const unsigned long cv4l2_enumerate_sizes = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long cv4l2_enumerate_intervals = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long cv4l2_set_format = VIDIOC_S_FMT;
static const unsigned long cv4l2_try_format = VIDIOC_TRY_FMT;
static const unsigned long cv4l2_get_input = VIDIOC_G_INPUT;
static const unsigned long cv4l2_enumerate_inputs = VIDIOC_ENUMINPUT;
static const unsigned long cv4l2_set_parameters = VIDIOC_S_PARM;
static const unsigned long cv4l2_request_buffers = VIDIOC_REQBUFS;
static const unsigned long cv4l2_query_buffer = VIDIOC_QUERYBUF;
static const unsigned long cv4l2_queue_buffer = VIDIOC_QBUF;
static const unsigned long cv4l2_dequeue_buffer = VIDIOC_DQBUF;
static const unsigned long cv4l2_stream_on = VIDIOC_STREAMON;
static const unsigned long cv4l2_stream_off = VIDIOC_STREAMOFF;
static const unsigned long cv4l2_query_control = VIDIOC_QUERYCTRL;
static const unsigned long cv4l2_get_control = VIDIOC_G_CTRL;
static const unsigned long cv4l2_set_control = VIDIOC_S_CTRL;

// The constants belong to an extension of libc that Swift does not switch on.
static const unsigned long cv4l2_remap_in_place = 1 | 2;  // MREMAP_MAYMOVE | MREMAP_FIXED, linux/mman.h

// mremap takes a variable number of arguments, which Swift cannot call.
static inline void *cv4l2_move_mapping(void *from, unsigned long length, const void *to) {
    return (void *)syscall(SYS_mremap, from, length, length, cv4l2_remap_in_place, to);
}

// ioctl takes a variable number of arguments, which Swift cannot call.
static inline int cv4l2_ioctl(int descriptor, unsigned long request, void *argument) {
    return ioctl(descriptor, request, argument);
}
