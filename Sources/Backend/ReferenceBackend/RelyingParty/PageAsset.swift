// SPDX-License-Identifier: Apache-2.0

/// The files in `Page` that the pages load.
enum PageAsset: CaseIterable {
    case styleSheet, script, logo

    /// The path below the origin, without the leading slash.
    var path: String {
        switch self {
        case .styleSheet: "page.css"
        case .script: "page.js"
        case .logo: "logo.svg"
        }
    }

    var type: String {
        switch self {
        case .styleSheet: "text/css; charset=UTF-8"
        case .script: "text/javascript; charset=UTF-8"
        case .logo: "image/svg+xml"
        }
    }

    var content: [UInt8] {
        switch self {
        case .styleSheet: PackageResources.page_css
        // One poll at a time, which names the answer that the page has. The backend holds it until there is another
        // answer, and after that the script asks at once: steps of a login follow each other within milliseconds. After
        // an answer without news, as from a proxy that does not hold a request, it asks once a second. The script
        // changes the page only through textContent and the picture's src.
        case .script: PackageResources.page_js
        case .logo: PackageResources.logo_svg
        }
    }
}
