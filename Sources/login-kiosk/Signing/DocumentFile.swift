// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskCore
import MPinClient

/// The file with a document that is to be signed.
enum DocumentFile {
    /// - Throws: an exit code, after a complaint, for a file that cannot be read or is too long.
    static func read(_ path: String) throws -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: RelyingPartyApplication.maximumDocumentLength + 1) ?? Data()
        else { throw Complaint.make("\(path): cannot be read", status: .noInput) }
        guard bytes.count <= RelyingPartyApplication.maximumDocumentLength else {
            throw Complaint.make(
                "\(path): a document has at most \(RelyingPartyApplication.maximumDocumentLength) bytes",
                status: .dataError)
        }
        return Array(bytes)
    }

    /// - Throws: an exit code, after a complaint, for what cannot be shown to somebody who signs it.
    static func text(_ bytes: [UInt8], of path: String) throws -> DocumentText {
        do { return try DocumentText(bytes) } catch {
            throw Complaint.make("\(path): \(error)", status: .dataError)
        }
    }
}
