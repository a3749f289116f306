// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A message to a browser, as it stands on a stream of server-sent events (HTML standard, section 9.2).
enum PageEvent: Sendable {
    case view(PageView)
    /// A JPEG file.
    case picture([UInt8])
    /// A sign of life.
    case nothing

    /// Half a second until a browser that lost the stream asks for it again.
    static let opening = "retry: 500\n\n"

    /// - Throws: when a view has no JSON form, which none has been seen without.
    func text() throws -> String {
        switch self {
        case .view(let view):
            // One line: JSON writes line ends in texts as escapes.
            "event: view\ndata: \(String(decoding: try JSONEncoder().encode(view), as: UTF8.self))\n\n"
        case .picture(let jpeg): "event: preview\ndata: \(Data(jpeg).base64EncodedString())\n\n"
        case .nothing: ":\n\n"
        }
    }
}
