// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A certificate authority for one test, made by the `openssl` program in its own directory.
public final class TestAuthority {
    private let directory: URL

    public init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "kiosk-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try openssl(
            ["req", "-x509", "-subj", "/CN=Test authority", "-days", "2"] + newKey("authority") + out("authority"))
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Dates of an expired certificate.
    public static let past = (first: "20200101000000Z", last: "20200102000000Z")
    public static let future = (first: "20980101000000Z", last: "20990101000000Z")

    public var file: String { path("authority.pem") }

    /// Makes a certificate for a server's key, which is created the first time.
    ///
    /// - Parameters:
    ///   - names: in the form of a certificate, for example `DNS:localhost`; nil for none besides the subject,
    ///     localhost.
    ///   - dates: the first and last second, in OpenSSL's form; nil for two days from now. ``past`` is an example.
    ///   - server: the server's name. It has one certificate at a time.
    /// - Returns: options for `openssl s_server`.
    public func issue(
        _ names: String?, dates: (first: String, last: String)? = nil, for server: String = "server"
    ) throws -> [String] {
        let isKnown = FileManager.default.fileExists(atPath: keyFile(of: server))
        try openssl(
            ["req", "-new", "-subj", names == nil ? "/CN=localhost" : "/CN=server", "-out", path("\(server).csr")]
                + (isKnown ? ["-key", keyFile(of: server)] : newKey(server)))
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
            \(names.map { "subjectAltName = \($0)" } ?? "basicConstraints = CA:FALSE")

            """
        try Data(settings.utf8).write(to: directory.appending(path: "settings"))
        try Data().write(to: directory.appending(path: "index"))
        // `openssl x509` accepts dates only since 3.4, and none of the past by `-days` since then.
        let validity = dates.map { ["-startdate", $0.first, "-enddate", $0.last] } ?? []
        try openssl(
            [
                "ca", "-batch", "-notext", "-config", path("settings"), "-in", path("\(server).csr"), "-cert", file,
                "-keyfile", keyFile(of: "authority"),
            ] + validity + out(server))
        return options(server)
    }

    /// A self-signed certificate.
    public func selfSigned(_ names: String) throws -> [String] {
        try openssl(
            ["req", "-x509", "-subj", "/CN=server", "-days", "2", "-addext", "subjectAltName=\(names)"] + newKey("own")
                + out("own"))
        return options("own")
    }

    public func certificateFile(of server: String) -> String { path("\(server).pem") }
    public func keyFile(of server: String) -> String { path("\(server).key") }

    /// The pin of a server's key in the form of `openssl`: `pin-sha256:` and base64.
    public func pin(of server: String) throws -> String {
        let pipe = [
            "/usr/bin/openssl pkey -in \(keyFile(of: server)) -pubout -outform der",
            "/usr/bin/openssl dgst -sha256 -binary",
            "/usr/bin/openssl base64",
        ].joined(separator: " | ")
        guard let text = try ChildProcess("/bin/sh", ["-c", pipe]).readLine() else {
            throw ContractViolation("openssl says nothing about the key of \(server)")
        }
        return "pin-sha256:\(text)"
    }

    private func path(_ name: String) -> String { directory.appending(path: name).path }
    private func out(_ name: String) -> [String] { ["-out", certificateFile(of: name)] }
    private func options(_ name: String) -> [String] {
        ["-cert", certificateFile(of: name), "-key", keyFile(of: name)]
    }
    private func newKey(_ name: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile(of: name)]
    }

    private func openssl(_ arguments: [String]) throws {
        let code = try ChildProcess("/usr/bin/openssl", arguments).wait()
        try ContractViolation.check(code == 0, "openssl \(arguments.joined(separator: " "))")
    }
}
