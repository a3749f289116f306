// SPDX-License-Identifier: Apache-2.0

import BackendValues
package import Patience
import Foundation
import KioskTestKit
package import ReferenceBackend

extension Backend.TLS {
    /// The options of a listener with these files.
    package var options: [String] { ["--tls-cert", certificateChainFile, "--tls-key", privateKeyFile] }
}

/// Self-signed certificates for localhost and 127.0.0.1 with their keys, in PEM.
package enum TestCertificate {
    package enum Key { case elliptic, rsa }
    private struct NoCertificate: Error {}

    /// - Returns: TLS settings with files in `folder`, which must outlive the listener.
    package static func tls(_ kind: Key = .elliptic, in folder: TemporaryFolder) throws -> Backend.TLS {
        let directory = try StateDirectory(path: folder.path)
        let (chainFile, keyFile) = (directory.file("chain.pem"), directory.file("key.pem"))
        try StateDirectory.create(chainFile, content: try chain(kind))
        try StateDirectory.create(keyFile, content: try privateKey(kind))
        return Backend.TLS(certificateChainFile: chainFile, privateKeyFile: keyFile)
    }

    package static func chain(_ kind: Key = .elliptic) throws -> [UInt8] { try files.get()["\(kind).pem"] ?? [] }
    package static func privateKey(_ kind: Key = .elliptic) throws -> [UInt8] { try files.get()["\(kind).key"] ?? [] }
    /// Another certificate for the elliptic key, which has localhost only as its subject.
    package static func chainWithoutName() throws -> [UInt8] { try files.get()["nameless.pem"] ?? [] }

    /// All files by their names, which the `openssl` program makes once for a test run.
    private static let files: Result<[String: [UInt8]], any Error> = Result {
        let folder = try TemporaryFolder.made()
        func make(_ name: String, _ arguments: [String]) throws {
            let all = [
                "req", "-x509", "-subj", "/CN=localhost", "-days", "36500", "-out", "\(folder.path)/\(name).pem",
            ]
            let code = try ChildProcess("/usr/bin/openssl", all + arguments).wait()
            guard code == 0 else { throw NoCertificate() }
        }
        let names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-nodes"]
        let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        for (kind, key) in [(Key.elliptic, curve), (.rsa, ["-newkey", "rsa:2048"])] {
            try make("\(kind)", names + key + ["-keyout", "\(folder.path)/\(kind).key"])
        }
        try make("nameless", ["-key", "\(folder.path)/elliptic.key"])
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            files[name] = Array(try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)")))
        }
        return files
    }
}
