// SPDX-License-Identifier: Apache-2.0

/// Why there is no reply of the private listener.
enum PrivateClientError: Error {
    case deadlineExceeded, replyTooLarge, noReply
}
