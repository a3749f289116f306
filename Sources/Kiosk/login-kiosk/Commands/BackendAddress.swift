// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import LoginValues

/// A backend's URL as an operator types it.
enum BackendAddress {
    static func parse(_ text: String) throws -> WebAddress {
        do { return try WebAddress(text) } catch {
            throw Complaint.make(
                "\(text): this is not an address (\(error.rawValue))",
                hint: HostSpelling.advice(in: text) ?? "for example https://login.example.com",
                status: .usage)
        }
    }
}
