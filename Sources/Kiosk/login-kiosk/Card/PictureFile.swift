// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import LinuxSystem

/// Pictures that people print.
enum PictureFile {
    /// Replaces the file as a whole, or leaves it as it was.
    static func write(_ text: String, to path: String) throws {
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw Complaint.make(
                "\(path): cannot be written", hint: "name a file in a directory that is yours", status: .cannotCreate)
        }
    }

    /// Writes a file that only its owner can read: somebody with a personal card could try PINs.
    static func writePrivately(_ bytes: [UInt8], to path: String) throws {
        do throws(FileFault) { try OwnedFile.replace(path, with: bytes, mode: 0o600) } catch {
            throw Complaint.make(error, status: .cannotCreate)
        }
    }

    /// Escapes text for XML.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
