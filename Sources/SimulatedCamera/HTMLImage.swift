// SPDX-License-Identifier: Apache-2.0

/// An `<img>` element of a page.
struct HTMLImage: Equatable {
    /// Attribute values by lower-case name, with entities resolved.
    var attributes: [String: String] = [:]

    var source: String { attributes["src"] ?? "" }

    /// Whether its id, class or alternative text says that it is a QR code.
    var isNamedQR: Bool {
        ["id", "class", "alt"].contains { attributes[$0]?.lowercased().contains("qr") ?? false }
    }
}
