// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The page: one document that holds its style and its script.
enum PageDocument {
    /// The document with `nonce` at its style and its script, by which a browser distinguishes them from injected
    /// ones.
    static func html(nonce: String, hasKeys: Bool) -> String {
        let pieces = assembled.split(separator: "{nonce}", omittingEmptySubsequences: false)
        return pieces.joined(separator: nonce).replacing("{keys}", with: hasKeys ? "on" : "off", maxReplacements: 1)
    }

    /// Forbids content of other sites, inline content without the nonce, and a frame around the page.
    static func contentSecurityPolicy(nonce: String) -> String {
        "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; "
            + "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    }

    static func nonce() -> String {
        let (high, low) = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
        return String(high, radix: 36) + String(low, radix: 36)
    }

    /// The shared design as custom properties: one grid unit is 1rem.
    private static let design: String = {
        let colours = ScreenStyle.Colour.allCases.map { "--\($0): \($0.rawValue)" }
        let sizes = ScreenStyle.Size.allCases.map { "--\($0): \($0.units)rem" }
        let large = ScreenStyle.Size.allCases.filter(\.isOfLetters).map {
            "--\($0): \($0.units * ScreenStyle.largeText)rem"
        }
        let high = ScreenStyle.Colour.allCases.map { "--\($0): \($0.highContrast)" }
        return """
            :root { --unit: calc(100vmin / \(ScreenStyle.shortSide)); \((colours + sizes).joined(separator: "; ")) }
            body.large { \(large.joined(separator: "; ")) }
            body.high { \(high.joined(separator: "; ")) }

            """
    }()

    private static let assembled: String = {
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        return text(PackageResources.screen_html)
            .replacing("{style}", with: design + text(PackageResources.screen_css))
            .replacing("{script}", with: text(PackageResources.screen_js))
    }()
}
