// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskPorts
import LoginValues
import Scanning

extension SwarmPage {
    /// The code that may be typed instead of showing the picture.
    static func code(in page: Data) -> AccessCode? {
        guard let mark = page.range(of: Data(#"<code id="code">"#.utf8)),
            let end = page.range(of: Data("<".utf8), in: mark.upperBound..<page.endIndex)
        else { return nil }
        return AccessCode(Array(page[mark.upperBound..<end.lowerBound]).span)
    }

    /// The code of the picture, as a kiosk's scanner reads it.
    static func code(inPicture file: [UInt8]) -> AccessCode? {
        guard let picture = try? Picture(decoding: file, from: "the page's picture") else { return nil }
        var scanner = Scanner(effort: .untilFound)
        let symbols = picture.withFrame(captured: .zero) { scanner.symbols(in: $0) }
        return symbols.lazy.compactMap { symbol in
            symbol.payload.withBytes { try? LoginRequest(symbol: $0).accessCode }
        }.first
    }
}
