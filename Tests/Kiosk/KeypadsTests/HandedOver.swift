// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A value that a test passes to a process of its own, as the target of a symbolic link that both find: with Swift
/// 6.2 the code in such a process captures nothing. For tests that run one after another.
struct HandedOver: ~Copyable {
    private let place: String

    init(_ text: String, as name: String) {
        place = HandedOver.place(of: getpid(), name)
        // Safe: the texts are lent for the calls.
        unsafe unlink(place)
        unsafe symlink(text, place)
    }

    deinit { unsafe unlink(place) }

    /// Reads the value in the process that the test started.
    static func taken(_ name: String) -> String {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safe: the count is the buffer's own.
        let count = unsafe readlink(place(of: getppid(), name), &text, text.count)
        return String(decoding: text.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func place(of owner: pid_t, _ name: String) -> String { "/tmp/login-kiosk-\(owner)-\(name)" }
}
