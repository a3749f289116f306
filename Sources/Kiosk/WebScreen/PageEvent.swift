// SPDX-License-Identifier: Apache-2.0

import Encoding
import FoundationEssentials
import KioskPorts

/// A message to a browser, in the form of server-sent events (HTML standard, section 9.2).
enum PageEvent: Sendable {
    case view(PageView)
    /// A JPEG file, and the corners of a code in it.
    case picture([UInt8], outline: [PixelPoint])
    case keepAlive

    /// Half a second until a browser that lost the stream requests it again.
    static let opening = "retry: 500\n\n"

    /// - Throws: when a view has no JSON form, which should never happen.
    func text() throws -> String {
        switch self {
        case .view(let view):
            // One line: JSON writes line ends in texts as escapes.
            "event: view\ndata: \(String(decoding: try JSONEncoder().encode(view), as: UTF8.self))\n\n"
        case .picture(let jpeg, let outline):
            "event: preview\ndata: \(Base64.text(jpeg))\(outline.map { " \($0.x),\($0.y)" }.joined())\n\n"
        case .keepAlive: ":\n\n"
        }
    }
}
