// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import LinuxSystem
import Logging
import MPinServer
import Sealing
import ServiceLifecycle
import Synchronization

extension Backend {
    /// The files of a listener that speaks TLS.
    package struct TLS: Sendable {
        /// PEM file of the certificate and its chain.
        package let certificateChainFile: String
        /// PEM file of the certificate's key.
        package let privateKeyFile: String

        package init(certificateChainFile: String, privateKeyFile: String) {
            self.certificateChainFile = certificateChainFile
            self.privateKeyFile = privateKeyFile
        }
    }
}

extension Backend.TLS {
    /// Hands the contents of both files to `body`. The files are read here, because the library would not check who can
    /// access them.
    fileprivate func withFiles<Value>(
        _ body: (_ certificates: [UInt8], _ privateKey: [UInt8]) throws(TLSFault) -> Value
    ) throws(BackendError) -> Value {
        let certificates = try StateDirectory.content(of: certificateChainFile, .unaltered)
        var privateKey = try StateDirectory.content(of: privateKeyFile)
        defer { wipe(&privateKey) }
        do throws(TLSFault) {
            return try body(certificates, privateKey)
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

/// A listener's certificate and key. It reads both files again when they change, and warns before the certificate ends.
final class ServerCertificate: Service {
    /// The time between two looks at the files.
    static let pause = Duration.seconds(60)
    /// The remaining lifetime of a certificate below which the log warns once a day.
    static let warningTime = Duration.seconds(14 * 86_400)
    private static let warningPause = Duration.seconds(86_400)

    private struct State {
        /// Digest of the files that are in use.
        var used: [UInt8]
        /// The last complaint; nil after files that could be used.
        var complaint: String?
        var warned: Duration?
    }

    let connections: any TLSConnections
    private let files: Backend.TLS
    private let time: Timekeeper
    private let clock: any WallClock
    private let observer: (any BackendObserver)?
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter library: nil in a build without TLS.
    /// - Throws: `BackendError`.
    init(
        _ files: Backend.TLS, _ library: (any TLSConnections.Type)?, time: Timekeeper = Timekeeper(ContinuousClock()),
        clock: any WallClock, observer: (any BackendObserver)? = nil, logger: Logger
    ) throws(BackendError) {
        guard let library else { throw .builtWithoutTLS }
        let digest: [UInt8]
        (connections, digest) = try files.withFiles { certificates, key throws(TLSFault) in
            (try library.init(certificateChain: certificates, privateKey: key), Self.digest(certificates, key))
        }
        (self.files, self.time, self.clock, self.observer, self.logger) = (files, time, clock, observer, logger)
        state = Mutex(State(used: digest))
        observer?.certified(until: connections.end)
        warn()
    }

    func run() async {
        try? await cancelWhenGracefulShutdown { [self] in
            while true {
                try await time.sleep(Self.pause)
                look()
            }
        }
    }

    /// Loads the files if they have changed. If they cannot be used, for example because only one of the pair is
    /// written, the former pair stays in use until the next check.
    func look() {
        do throws(BackendError) {
            let used = state.withLock { $0.used }
            let new = try files.withFiles { certificates, key throws(TLSFault) -> [UInt8]? in
                let digest = Self.digest(certificates, key)
                guard digest != used else { return nil }
                try connections.replace(certificateChain: certificates, privateKey: key)
                return digest
            }
            state.withLock { state in
                state.complaint = nil
                if let new { (state.used, state.warned) = (new, nil) }
            }
            if new != nil {
                observer?.certified(until: connections.end)
                logger.notice("serving with the new certificate", metadata: ["until": "\(connections.end.zonedText)"])
            }
        } catch { complain("\(error)") }
        warn()
    }

    /// Logs the reason why the files cannot be used, once while it stays the same.
    private func complain(_ reason: String) {
        let isNew = state.withLock { state in
            defer { state.complaint = reason }
            return state.complaint != reason
        }
        guard isNew else { return }
        logger.error(
            "certificate and key cannot be used; the former ones stay in use", metadata: ["reason": "\(reason)"])
    }

    private func warn() {
        guard connections.end < clock.now + Self.warningTime else { return }
        let now = time.elapsed()
        let isDue = state.withLock { state in
            if let warned = state.warned, now - warned < Self.warningPause { return false }
            state.warned = now
            return true
        }
        guard isDue else { return }
        logger.warning(
            "the certificate ends soon; renew it, and put chain and key in place",
            metadata: ["until": "\(connections.end.zonedText)", "file": "\(files.certificateChainFile)"])
    }

    private static func digest(_ certificates: [UInt8], _ key: [UInt8]) -> [UInt8] {
        Array(Digest.sha256(Digest.sha256(certificates) + Digest.sha256(key)))
    }
}
