// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Testing

/// A certificate authority for one test, made with the `openssl` program in a directory of its own.
final class TestAuthority {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "kiosk-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try openssl(
            ["req", "-x509", "-subj", "/CN=Test authority", "-days", "2"] + key("authority") + out("authority"))
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    var file: String { path("authority.pem") }

    /// - Parameter names: as a certificate lists them, for example `DNS:localhost`.
    /// - Parameter dates: of its first and last second, as OpenSSL writes them; nil: two days from now.
    /// - Returns: options for `openssl s_server`.
    func issue(_ names: String, dates: (first: String, last: String)? = nil) throws -> [String] {
        try openssl(["req", "-subj", "/CN=server"] + key("server") + ["-out", path("server.csr")])
        let settings = """
            [ca]
            default_ca = authority
            [authority]
            database = \(path("index"))
            new_certs_dir = \(directory.path)
            rand_serial = yes
            default_md = sha256
            default_days = 2
            policy = names
            x509_extensions = extensions
            [names]
            commonName = supplied
            [extensions]
            subjectAltName = \(names)

            """
        try Data(settings.utf8).write(to: directory.appending(path: "settings"))
        try Data().write(to: directory.appending(path: "index"))
        // `openssl x509` takes no dates before 3.4, and none of the past by `-days` after it.
        let validity = dates.map { ["-startdate", $0.first, "-enddate", $0.last] } ?? []
        try openssl(
            [
                "ca", "-batch", "-notext", "-config", path("settings"), "-in", path("server.csr"), "-cert", file,
                "-keyfile", path("authority.key"),
            ] + validity + out("server"))
        return options("server")
    }

    /// A certificate that vouches for itself.
    func selfSigned(_ names: String) throws -> [String] {
        try openssl(
            ["req", "-x509", "-subj", "/CN=server", "-days", "2", "-addext", "subjectAltName=\(names)"] + key("own")
                + out("own"))
        return options("own")
    }

    private func path(_ name: String) -> String { directory.appending(path: name).path }
    private func out(_ name: String) -> [String] { ["-out", path("\(name).pem")] }
    private func options(_ name: String) -> [String] { ["-cert", path("\(name).pem"), "-key", path("\(name).key")] }
    private func key(_ name: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path("\(name).key")]
    }

    private func openssl(_ arguments: [String]) throws {
        let code = try ChildProcess("/usr/bin/openssl", arguments).wait()
        try #require(code == 0, "openssl \(arguments.joined(separator: " "))")
    }
}
