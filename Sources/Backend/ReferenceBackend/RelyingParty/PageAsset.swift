// SPDX-License-Identifier: Apache-2.0

/// A file in `Page` that the pages load.
struct PageAsset: Sendable {
    /// The path below the origin, without the leading slash.
    let path: String
    let type: String
    let content: [UInt8]

    static let all = [
        PageAsset(path: "page.css", type: "text/css; charset=UTF-8", content: PackageResources.page_css),
        // One poll at a time, which names the answer that the page has. The backend holds it until there is another
        // answer, and after that the script asks at once: steps of a login follow each other within milliseconds. After
        // an answer without news, as from a proxy that does not hold a request, it asks once a second. The script
        // changes the page only through textContent and the picture's src.
        PageAsset(path: "page.js", type: "text/javascript; charset=UTF-8", content: PackageResources.page_js),
        PageAsset(path: "logo.svg", type: "image/svg+xml", content: PackageResources.logo_svg),
    ]
}
