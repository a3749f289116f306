// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Signage

/// A sheet of A4 for the wall beside a kiosk: scan, OK, PIN. Lengths are millimetres.
struct Poster {
    let words: PromptCatalogue

    private static let width = 210.0
    private static let margin = 18.0
    private static let textWidth = width - 2 * margin
    /// The box of each step.
    private static let firstBox = 54.0
    private static let boxDistance = 64.0
    /// Generous: the average of a bold DejaVu Sans, the widest of the usual fonts.
    private static let letterWidth = 0.66
    private static let lineHeight = 1.25

    var svg: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297" \
        font-family="DejaVu Sans, Helvetica, Arial, sans-serif" xml:lang="\(words.language)">
        <title>\(text(.posterTitle))</title>
        <rect width="210" height="297" fill="#fff"/>
        \(block(.posterTitle, x: Self.margin, middle: 32, width: Self.textWidth, size: 15, lines: 2, isBold: true))
        \(step(1, .scanHelp, picture: Self.camera))
        \(step(2, .posterCheck, picture: Self.key))
        \(step(3, .pinHelpAny, picture: Self.pad))
        \(block(.posterNewcomers, x: Self.margin, middle: 255, width: Self.textWidth, size: 5.5, lines: 2))
        \(block(.nextNotYours, x: Self.margin, middle: 276, width: Self.textWidth, size: 5.5, lines: 2))
        </svg>

        """
    }

    /// A box with a number, a picture and a sentence.
    private func step(_ number: Int, _ sentence: PromptKey, picture: String) -> String {
        let top = Self.firstBox + Double(number - 1) * Self.boxDistance
        let middle = top + 29
        return """
            <rect x="\(Self.margin)" y="\(top)" width="\(Self.textWidth)" height="58" rx="4" fill="#eef2f6"/>
            <circle cx="34" cy="\(middle)" r="10" fill="#123"/>
            <text x="34" y="\(middle + 5)" font-size="14" font-weight="bold" fill="#fff" \
            text-anchor="middle">\(number)</text>
            <g transform="translate(50 \(top + 7))">\(picture)</g>
            \(block(sentence, x: 102, middle: middle, width: 86, size: 9, lines: 4))
            """
    }

    private func text(_ key: PromptKey) -> String { PictureFile.escaped(words.text(Prompt(key))) }

    /// A sentence in lines around a height, in the largest size up to `size` with which all of it has room.
    private func block(
        _ key: PromptKey, x: Double, middle: Double, width: Double, size: Double, lines: Int, isBold: Bool = false
    ) -> String {
        let words = text(key).split(separator: " ").map(String.init)
        var size = size
        var wrapped = Self.wrap(words, to: Int(width / (size * Self.letterWidth)))
        while wrapped.count > lines || wrapped.contains(where: { Double($0.count) * size * Self.letterWidth > width }) {
            size -= 0.25
            wrapped = Self.wrap(words, to: Int(width / (size * Self.letterWidth)))
        }
        let step = size * Self.lineHeight
        let first = middle - step * Double(wrapped.count - 1) / 2 + size * 0.36
        let spans = wrapped.enumerated().map { number, line in
            "<tspan x=\"\(x)\" y=\"\(Self.rounded(first + Double(number) * step))\">\(line)</tspan>"
        }
        return "<text font-size=\"\(size)\"\(isBold ? " font-weight=\"bold\"" : "") fill=\"#123\">"
            + spans.joined(separator: "\n") + "</text>"
    }

    private static func rounded(_ length: Double) -> Double { (length * 100).rounded() / 100 }

    private static func wrap(_ words: [String], to letters: Int) -> [String] {
        words.reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= letters {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(word)
            }
        }
    }

    // Pictures, 44 by 44.

    /// A sheet with a code before a lens.
    private static let camera = """
        <rect x="0" y="4" width="22" height="36" rx="2" fill="#fff" stroke="#123"/>
        <path fill="#123" d="M3 8h6v6h-6zM13 8h6v6h-6zM3 18h6v6h-6zM13 18h3v3h-3zM16 21h3v3h-3z"/>
        <path fill="#fff" d="M5 10h2v2h-2zM15 10h2v2h-2zM5 20h2v2h-2z"/>
        <path fill="none" stroke="#123" stroke-dasharray="1.5 1.5" d="M24 16h7"/>
        <rect x="32" y="6" width="12" height="20" rx="2" fill="#123"/>
        <circle cx="38" cy="16" r="4" fill="#9cf"/>
        """

    private static let key = """
        <rect x="4" y="8" width="36" height="28" rx="4" fill="#2a7d4f"/>
        <text x="22" y="27.5" font-size="15" font-weight="bold" fill="#fff" text-anchor="middle">OK</text>
        """

    private static let pad = """
        <rect x="5" y="0" width="34" height="44" rx="3" fill="#123"/>
        <path fill="#fff" d="M9 4h26v8h-26zM9 16h7v6h-7zM18.500 16h7v6h-7zM28 16h7v6h-7zM9 25h7v6h-7zM18.500 25h7v6h-7z\
        M28 25h7v6h-7zM9 34h7v6h-7zM18.500 34h7v6h-7z"/>
        <path fill="#2a7d4f" d="M28 34h7v6h-7z"/>
        <path fill="#123" d="M11.500 7h2v2h-2zM17.500 7h2v2h-2zM23.500 7h2v2h-2zM29.500 7h2v2h-2z"/>
        """
}
