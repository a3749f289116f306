// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import Testing

/// A TLS server on loopback, run by the `openssl` program.
final class TLSServer {
    let port: UInt16
    private let process: ChildProcess

    /// - Parameter options: for `openssl s_server`, above all the certificate.
    init(_ options: [String]) throws {
        process = try ChildProcess("/usr/bin/openssl", ["s_server", "-accept", "127.0.0.1:0", "-www"] + options)
        var port: UInt16?
        while port == nil {
            let line = try #require(process.readLine(), "openssl s_server ended")
            // `ACCEPT 127.0.0.1:40123`
            if line.hasPrefix("ACCEPT ") { port = line.split(separator: ":").last.flatMap { UInt16($0) } }
        }
        self.port = try #require(port)
    }

    func address(_ host: String = "localhost") throws -> WebAddress {
        try WebAddress("https://\(host):\(port)/")
    }
}
