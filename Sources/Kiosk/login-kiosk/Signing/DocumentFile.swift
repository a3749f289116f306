// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import KioskMachine
import LinuxSystem
import MPinClient

/// The file of a document to sign.
enum DocumentFile {
    /// - Throws: an exit code, after a complaint, for a file that cannot be read or is too long.
    static func read(_ path: String) throws -> [UInt8] {
        do throws(FileFault) {
            return try OpenedFile.read(path, upTo: RelyingPartyApplication.maximumDocumentLength)
        } catch {
            guard case .tooLong(let limit) = error.cause else { throw Complaint.make(error) }
            throw Complaint.make("\(path): a document has at most \(limit) bytes", status: .dataError)
        }
    }

    /// - Throws: an exit code, after a complaint, for text that cannot be shown to the person who signs it.
    static func text(_ bytes: [UInt8], of path: String) throws -> DocumentText {
        do { return try DocumentText(bytes) } catch {
            throw Complaint.make("\(path): \(error)", status: .dataError)
        }
    }
}
