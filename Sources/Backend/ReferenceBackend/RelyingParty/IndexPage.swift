// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer

/// A page with links to all sites of this backend, and the settings for clients.
struct IndexPage: Sendable {
    static let path = "/dialects"

    /// The origin's address, without a trailing slash.
    let url: String
    let projectID: String
    /// The dialect that the origin speaks.
    let origin: Dialect

    var text: String {
        let items = Dialect.allCases.map { dialect in
            """
            <li><a href="/\(dialect.rawValue)/">\(dialect.rawValue)</a>: \(Self.summary(of: dialect))<br>
            <code>\(HTMLText.escaped(url))/\(dialect.rawValue)</code></li>
            """
        }
        return Pages(root: "/").page(
            "Dialects",
            """
            <p>This backend speaks every dialect below an address of its own, each with a site to log in to. \
            <a href="/">The site at the origin</a> speaks \(origin.rawValue).</p>
            <ul>
            \(items.joined(separator: "\n"))
            </ul>
            <p>Company id and project id: <code>\(HTMLText.escaped(projectID))</code></p>
            """)
    }

    private static func summary(of dialect: Dialect) -> String {
        switch dialect {
        case .milagro: "the classic protocol with time permits"
        case .milagroWithoutPermits: "the classic protocol without time permits"
        case .mfaV1: "MIRACL's platform from 2016 to 2018"
        case .mfaV2: "MIRACL's platform from 2018 to 2022"
        case .trust2023: "MIRACL's platform from 2023"
        case .trust2025: "MIRACL's platform of today"
        }
    }
}
