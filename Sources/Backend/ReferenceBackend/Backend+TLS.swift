// SPDX-License-Identifier: Apache-2.0

package import BackendHTTP
import LinuxSystem

extension Backend {
    /// The TLS settings of the public listener.
    package struct TLS: Sendable {
        /// PEM file of the certificate and its chain.
        package var certificateChainFile: String
        /// PEM file of the certificate's key.
        package var privateKeyFile: String
        let library: any TLSLibrary

        package init(certificateChainFile: String, privateKeyFile: String, library: any TLSLibrary) {
            self.certificateChainFile = certificateChainFile
            self.privateKeyFile = privateKeyFile
            self.library = library
        }
    }
}

extension Backend.TLS {
    /// - Returns: a function that makes TLS connections.
    func connections() throws(BackendError) -> TLSConnections {
        // The files are read here, because the library would not check who can access them.
        let certificates = try StateDirectory.content(of: certificateChainFile, .unaltered)
        var privateKey = try StateDirectory.content(of: privateKeyFile, .secret)
        defer { wipe(&privateKey) }
        do throws(TLSFault) {
            return try library.connections(certificateChain: certificates, privateKey: privateKey)
        } catch {
            switch error {
            case .noCertificate: throw .file(path: certificateChainFile, reason: "holds no certificate in PEM form")
            case .noName:
                throw .file(
                    path: certificateChainFile,
                    reason: "its certificate has no subjectAltName, so that browsers refuse it; make another one: "
                        + "openssl req ... -addext subjectAltName=DNS:login.example.com")
            case .unreadable:
                throw .file(
                    path: certificateChainFile + ", " + privateKeyFile,
                    reason: "not a certificate chain and a private key in PEM form")
            case .differentKey: throw .invalidConfiguration("certificate and private key do not belong together")
            }
        }
    }
}
