// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keypads

extension KeyScript {
    /// Reads a script of keys.
    init(file path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Complaint.make("\(path): cannot be read", status: .noInput)
        }
        defer { try? file.close() }
        // One byte more than allowed, so that a longer file is refused and not cut off.
        let data = try file.read(upToCount: KeyScript.maximumLength + 1) ?? Data()
        guard let text = String(data: data, encoding: .utf8) else {
            throw Complaint.make("\(path): this is no script of keys: expected UTF-8 text", status: .dataError)
        }
        do { self = try KeyScript(text) } catch {
            throw Complaint.make("\(path): \(error)", status: .dataError)
        }
    }
}
