// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation

/// SVG files that people print.
enum PictureFile {
    /// Replaces the file as a whole, or leaves it as it was.
    static func write(_ text: String, to path: String) throws {
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw Complaint.make(
                "\(path): cannot be written", hint: "name a file in a directory that is yours", status: .cannotCreate)
        }
    }

    /// Escapes text for XML.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
