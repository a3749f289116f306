// SPDX-License-Identifier: Apache-2.0

/// Finds the images of a page without building a document. It skips comments, scripts and styles, and treats
/// everything but `<img ...>` as text.
struct HTMLImageScanner {
    private let characters: [UInt8]
    private var position = 0

    static func images(in page: String) -> [HTMLImage] {
        var scanner = HTMLImageScanner(characters: Array(page.utf8))
        return scanner.scan()
    }

    private init(characters: [UInt8]) {
        self.characters = characters
    }

    private mutating func scan() -> [HTMLImage] {
        var images: [HTMLImage] = []
        while position < characters.count {
            if take("<!--") {
                skip(past: "-->")
            } else if take("<script") {
                skip(past: "</script")
            } else if take("<style") {
                skip(past: "</style")
            } else if take("<img"), let next = peek(), HTMLImageScanner.isBlank(next) || next == UInt8(ascii: "/") {
                images.append(HTMLImage(attributes: attributes()))
            } else {
                position += 1
            }
        }
        return images.filter { !$0.source.isEmpty }
    }

    /// Reads attributes up to the element's `>`.
    private mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        while let character = peek(), character != UInt8(ascii: ">") {
            if HTMLImageScanner.isBlank(character) || character == UInt8(ascii: "/") {
                position += 1
                continue
            }
            let name = text { HTMLImageScanner.isBlank($0) || "=>/".utf8.contains($0) }.lowercased()
            skipBlanks()
            var value = ""
            if peek() == UInt8(ascii: "=") {
                position += 1
                skipBlanks()
                if let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                    position += 1
                    value = text { $0 == quote }
                    position += 1
                } else {
                    value = text { HTMLImageScanner.isBlank($0) || $0 == UInt8(ascii: ">") }
                }
            } else if name.isEmpty {
                position += 1
            }
            // The first of two equal attributes counts, as in the HTML standard.
            if !name.isEmpty, attributes[name] == nil { attributes[name] = HTMLEntities.resolve(value) }
        }
        return attributes
    }

    private mutating func text(until isEnd: (UInt8) -> Bool) -> String {
        let start = position
        while let character = peek(), !isEnd(character) { position += 1 }
        return String(decoding: characters[start..<position], as: UTF8.self)
    }

    private mutating func skipBlanks() {
        while let character = peek(), HTMLImageScanner.isBlank(character) { position += 1 }
    }

    private func peek() -> UInt8? { position < characters.count ? characters[position] : nil }

    /// Skips `word`, lower-case ASCII, in any case.
    private mutating func take(_ word: String) -> Bool {
        let letters = word.utf8
        guard position + letters.count <= characters.count else { return false }
        for (letter, character) in zip(letters, characters[position...]) {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character)
            guard (isCapital ? character | 0x20 : character) == letter else { return false }
        }
        position += letters.count
        return true
    }

    private mutating func skip(past word: String) {
        while position < characters.count, !take(word) { position += 1 }
    }

    private static func isBlank(_ character: UInt8) -> Bool { character == 0x20 || (0x09...0x0D).contains(character) }
}

/// An `<img>` element of a page.
struct HTMLImage: Equatable {
    /// Attribute values by lower-case name, with entities resolved.
    var attributes: [String: String] = [:]

    var source: String { attributes["src"] ?? "" }

    /// Whether its id, class or alternative text names a QR code.
    var isNamedQR: Bool {
        ["id", "class", "alt"].contains { attributes[$0]?.lowercased().contains("qr") ?? false }
    }
}
