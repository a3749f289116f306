// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Keypads
import LinuxSystem

extension KeyScript {
    /// Reads a script of keys.
    init(file path: String) throws {
        let bytes: [UInt8]
        do throws(FileFault) { bytes = try OpenedFile.read(path, upTo: KeyScript.maximumLength) } catch {
            throw Complaint.make(error)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Complaint.make("\(path): this is not a script of keys: expected UTF-8 text", status: .dataError)
        }
        do { self = try KeyScript(text) } catch {
            throw Complaint.make("\(path): \(error)", status: .dataError)
        }
    }
}
