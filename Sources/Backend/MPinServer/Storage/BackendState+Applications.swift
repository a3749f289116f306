// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
import Foundation
import OpenIDProvider
import Sealing

/// An application that people log in to, as management commands show it.
package struct BackendApplication: Hashable, Sendable {
    /// The `client_id` at the OpenID provider.
    package let id: String
    package let name: String
    package let redirectURIs: [String]
    package let postLogoutURIs: [String]
    /// Whether it has no secret because it could not keep one.
    package let isPublic: Bool
    /// `YYYY-MM-DDTHH:MM:SSZ`.
    package let added: String

    package init(_ application: RegisteredApplication) {
        id = application.id
        name = application.name
        redirectURIs = application.redirectURIs
        postLogoutURIs = application.postLogoutURIs
        isPublic = application.secretDigest == nil
        added = application.added.zonedText
    }
}

extension BackendState {
    /// Every application, by name.
    /// - Throws: `BackendError.database`.
    package func applications() async throws(BackendError) -> [BackendApplication] {
        try await registeredApplications().map { BackendApplication($0) }
    }

    /// Adds an application under a new id. The OpenID provider accepts it from the next request on.
    /// - Returns: the secret, which is not stored; nil for a public application.
    /// - Throws: `BackendError.invalidApplication`, `.database`.
    package func addApplication(
        name typed: String, redirectURIs: [String], postLogoutURIs: [String] = [], isPublic: Bool
    ) async throws(BackendError) -> (application: BackendApplication, secret: String?) {
        let secret = isPublic ? nil : try Self.newSecret()
        let application = RegisteredApplication(
            id: try OneTimeToken.random().hex, name: try Self.name(typed),
            redirectURIs: try Self.addresses(redirectURIs, isPublic: isPublic),
            postLogoutURIs: postLogoutURIs.isEmpty ? [] : try Self.addresses(postLogoutURIs, isPublic: isPublic),
            secretDigest: secret.map { Self.digest(of: $0) }, added: clock.now)
        let shape = NameShape(application.name)
        if let taken = try await registeredApplications().first(where: { NameShape($0.name) == shape }) {
            throw .invalidApplication(
                problem: "there is an application with the name \(taken.name)"
                    + (taken.name == application.name ? "" : ", which looks like \(application.name)"),
                hint: "people tell applications by their names: choose another one")
        }
        let isAdded = try await attempt(try await storage.durable.add(application))
        guard isAdded else {
            throw .invalidApplication(
                problem: """
                    there are \(RegisteredApplication.capacity) applications, which is all that fit, or somebody added one \
                    of this name just now
                    """,
                hint: "see which there are: login-kiosk-backend applications list")
        }
        return (BackendApplication(application), secret)
    }

    /// Removes an application. Nobody can log in to it from the next request on. Its access tokens stay valid until
    /// they expire.
    /// - Parameter typed: the name or id.
    /// - Returns: nil if there is no such application.
    /// - Throws: `BackendError.database`.
    package func removeApplication(_ typed: String) async throws(BackendError) -> BackendApplication? {
        guard let application = try await application(typed) else { return nil }
        let isGone = try await attempt(try await storage.durable.removeApplication(application.id))
        return isGone ? BackendApplication(application) : nil
    }

    /// Replaces the secret of an application. The previous secret is no longer valid.
    /// - Parameter typed: the name or id.
    /// - Returns: the secret, which is not stored; nil if there is no such application.
    /// - Throws: `BackendError.invalidApplication` for a public application, `.database`.
    package func renewSecret(
        ofApplication typed: String
    ) async throws(BackendError) -> (application: BackendApplication, secret: String)? {
        guard let application = try await application(typed) else { return nil }
        guard application.secretDigest != nil else {
            throw .invalidApplication(
                problem: "the application \(application.name) has no secret: it was added with --public",
                hint: "remove it and add it again to give it one")
        }
        let secret = try Self.newSecret()
        let digest = Self.digest(of: secret)
        let isReplaced = try await attempt(
            try await storage.durable.replaceSecret(ofApplication: application.id, with: digest))
        return isReplaced ? (BackendApplication(application), secret) : nil
    }

    private func registeredApplications() async throws(BackendError) -> [RegisteredApplication] {
        try await attempt(try await storage.durable.applications())
    }

    private func application(_ typed: String) async throws(BackendError) -> RegisteredApplication? {
        let name = typed.precomposedStringWithCanonicalMapping
        return try await registeredApplications().first { $0.id == typed || $0.name == name }
    }

    /// 256 random bits.
    private static func newSecret() throws(BackendError) -> String { Base64.urlText(try RandomBytes.make(32)) }

    private static func digest(of secret: String) -> [UInt8] { Digest.sha256(Array(secret.utf8)) }

    /// Checks the name, which kiosks show to the person who logs in.
    static func name(_ typed: String) throws(BackendError) -> String {
        let name = typed.precomposedStringWithCanonicalMapping
        guard (1...RegisteredApplication.longestName).contains(name.unicodeScalars.count) else {
            throw .invalidApplication(
                problem: "the name of an application has to have 1 to \(RegisteredApplication.longestName) characters",
                hint: "kiosks show it to the person who logs in, as in \"Time sheets\"")
        }
        if let position = UserID.firstInvisible(in: name) {
            throw .invalidApplication(
                problem: "character \(position) of the name is a control character or a space in excess",
                hint: "use letters, digits, punctuation and single spaces")
        }
        return name
    }

    static func addresses(_ typed: [String], isPublic: Bool = false) throws(BackendError) -> [String] {
        var addresses: [String] = []
        for address in typed where !addresses.contains(address) { addresses.append(address) }
        guard (1...RegisteredApplication.maximumAddresses).contains(addresses.count) else {
            throw .invalidApplication(
                problem: "an application has to have 1 to \(RegisteredApplication.maximumAddresses) redirect addresses",
                hint: "name the address that browsers come back to: --redirect-uri https://app.example.com/login")
        }
        for address in addresses
        where !RedirectAddress.isValid(address, isPublic: isPublic) || address.contains("@")
            || address.utf8.count > RegisteredApplication.longestAddress
        {
            throw .invalidApplication(
                problem: "the redirect address \(address.prefix(200).debugDescription) cannot be used",
                hint: """
                    it has to be an absolute address such as https://app.example.com/login, without fragment and user \
                    name, of at most \(RegisteredApplication.longestAddress) characters; with --public also such as \
                    com.example.app:/login, in small letters
                    """)
        }
        return addresses
    }
}

extension OpenIDClient {
    /// - Parameter siteName: the name of this backend's own site. An application with this name, or with a similar one,
    ///   is shown by its host alone.
    package init(_ application: RegisteredApplication, besides siteName: String, requiresProofKey: Bool) {
        let isSite = NameShape(application.name) == NameShape(siteName)
        self.init(
            id: application.id, name: isSite ? nil : application.name, redirectURIs: application.redirectURIs,
            postLogoutURIs: application.postLogoutURIs, secretDigest: application.secretDigest,
            requiresProofKey: requiresProofKey)
    }
}
