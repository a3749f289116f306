// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import LinuxSystem
import MPinCrypto
import MPinServer

/// The origin of the server secret.
enum ServerSecretSource {
    case own(ServerSecret)
    case elsewhere(ServerSecretFetch)
}

extension BackendParts {
    /// Makes the D-TAs, or the connections to those elsewhere.
    /// - Parameter passphrase: opens the master secrets of D-TAs in the backend.
    func authorities(
        passphrase: SecretBytes?, verifier: PendingVerifier
    ) throws(BackendError) -> (Authorities, ServerSecretSource) {
        guard let first = configuration.authorities.first, let second = configuration.authorities.second else {
            return try ownAuthorities(passphrase: passphrase)
        }
        return try authorities(at: first, second, verifier: verifier)
    }

    /// Makes D-TAs inside of the backend.
    private func ownAuthorities(
        passphrase: SecretBytes?
    ) throws(BackendError) -> (Authorities, ServerSecretSource) {
        func authority(_ name: String) throws(BackendError) -> TrustedAuthority {
            TrustedAuthority(
                master: try MasterSecretFile.load(folder: try state.folder(name), passphrase: passphrase),
                credentials: credentials, clock: clock)
        }
        let (first, second) = (try authority("dta1"), try authority("dta2"))
        let secret: ServerSecret
        do { secret = try ServerSecret(combining: first.serverSecretShare(), second.serverSecretShare()) } catch {
            throw .cryptographyFailed
        }
        return (Authorities(first: first, second: second), .own(secret))
    }

    /// Makes D-TAs elsewhere: `dta1` and `dta2` contain their credentials and no secret.
    private func authorities(
        at firstURL: AuthorityURL, _ secondURL: AuthorityURL, verifier: PendingVerifier
    ) throws(BackendError) -> (Authorities, ServerSecretSource) {
        func credentials(_ number: Int) throws(BackendError) -> AppCredentials {
            try state.requireNoMaster(of: number, "D-TA \(number) is elsewhere and holds it")
            let path = try state.folder("dta\(number)") + "/credentials"
            guard try StateDirectory.read(path) != nil else {
                throw .file(
                    path: path, reason: "does not exist; copy the file of this name from the machine of D-TA \(number)")
            }
            return try AppCredentials(existing: path)
        }
        let (one, two) = (try credentials(1), try credentials(2))
        guard !one.hasSameKey(as: two) else {
            throw .invalidConfiguration(
                "both D-TAs have the same key, so that who has one could ask the other; each makes its own")
        }
        func authority(
            _ number: Int, _ address: String, url: String?, _ credentials: AppCredentials
        ) throws(BackendError) -> RemoteAuthority {
            RemoteAuthority(
                number: number, url: url, credentials: credentials,
                connection: AuthorityConnection(
                    address: address, certificates: configuration.authorities.certificatesFile),
                mark: IssuerMark(path: try state.folder("dta\(number)") + "/issuer"), clock: clock, observer: observer,
                logger: logger)
        }
        let first = try authority(1, firstURL.text, url: nil, one)
        let second = try authority(2, secondURL.text, url: secondURL.text, two)
        let fetch = ServerSecretFetch(
            first: first, second: second, verifier: verifier, storage: storage.durable, clock: clock, logger: logger)
        return (Authorities(first: first, second: second), .elsewhere(fetch))
    }
}

extension StateDirectory {
    /// - Throws: `BackendError.invalidConfiguration` when the folder of D-TA `number` contains a half of the master
    ///   secret.
    func requireNoMaster(of number: Int, _ reason: String) throws(BackendError) {
        let path = file("dta\(number)/master")
        guard try Self.has(path) else { return }
        throw .invalidConfiguration(
            "\(path) is half \(number) of the master secret: \(reason); keep it in a backup of that D-TA and remove it "
                + "here")
    }
}
