// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc

/// The requests made of a camera, for the filter of the process that makes them: `ioctl` can do anything to any device.
public enum VideoRequests {
    /// The flags for opening a device file.
    public static let openingFlags = UInt32(O_RDWR | O_NONBLOCK | O_CLOEXEC)

    /// The numbers of `ioctl` that this module and libv4lconvert use; of the library, those that only ask.
    public static var all: [UInt32] { (own + ofTheLibrary).map { UInt32($0) } }

    private static var own: [UInt] {
        [
            cv4l2_dequeue_buffer, cv4l2_queue_buffer, cv4l2_query_capability, cv4l2_enumerate_formats,
            cv4l2_enumerate_sizes, cv4l2_enumerate_intervals, cv4l2_set_format, cv4l2_set_parameters,
            cv4l2_request_buffers, cv4l2_query_buffer, cv4l2_stream_on, cv4l2_stream_off, cv4l2_query_control,
            cv4l2_get_control, cv4l2_set_control,
        ]
    }

    private static var ofTheLibrary: [UInt] {
        [cv4l2_try_format, cv4l2_get_input, cv4l2_enumerate_inputs]
    }
}
