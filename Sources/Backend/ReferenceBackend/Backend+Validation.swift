// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import Foundation
import LinuxSystem
import OpenIDProvider

/// Checks the settings and makes parts of them.
extension Backend.Configuration {
    /// The public URL without trailing slashes, which would make the addresses in QR codes invalid.
    func validatedPublicURL() throws(BackendError) -> String? {
        guard let publicURL else {
            guard listenHost != "0.0.0.0", listenHost != "::" else {
                throw .invalidConfiguration(
                    "a backend that listens on every address needs the public URL that browsers and kiosks use")
            }
            return nil
        }
        var url = publicURL
        while url.hasSuffix("/") { url.removeLast() }
        let parts = URLComponents(string: url)
        guard let parts, parts.scheme == "http" || parts.scheme == "https", parts.host?.isEmpty == false,
            parts.path.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil
        else {
            throw .invalidConfiguration(
                "the public URL has to be an origin such as https://login.example.com, without path or query")
        }
        if let fault = Self.hostFault(url) {
            throw .invalidConfiguration("no kiosk takes codes with the public URL \(url.debugDescription): \(fault)")
        }
        return url
    }

    /// The spelling of a host that browsers take and kiosks do not; nil for others.
    private static func hostFault(_ url: String) -> String? {
        let place = url.drop { $0 != "/" }.dropFirst(2)
        guard !place.hasPrefix("[") else { return nil }
        let host = place.prefix { $0 != ":" }
        if !host.utf8.allSatisfy({ $0 < 0x80 }) {
            return "write the host in ASCII, in its form with xn--, which idn2 \(host) prints"
        }
        if host.hasSuffix(".") { return "write the host without the dot at its end, \(host.dropLast())" }
        let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let isValid = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
        }
        return isValid
            ? nil : "a host's name has labels of letters, digits and inner hyphens, and no underscore"
    }

    /// The company id. It names the project of every dialect since `mfa-v2`, and occurs in headers and in keys of
    /// identities.
    func validatedCompanyID() throws(BackendError) -> String? {
        guard let companyID, !companyID.isEmpty else { return nil }
        guard companyID.utf8.count <= 128,
            companyID.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") })
        else {
            throw .invalidConfiguration(
                "the company id has to be 1 to 128 visible ASCII characters without spaces and #, because it is the "
                    + "project id of the dialects from mfa-v2 on")
        }
        return companyID
    }

    /// Whether browsers reach the site by https.
    var isHTTPS: Bool { publicURL?.hasPrefix("https://") ?? (tls != nil) }

    func clientAddressSource() throws(BackendError) -> ClientAddressSource {
        ClientAddressSource(
            trustedProxies: try trustedProxies.map { proxy throws(BackendError) in
                do throws(BackendError) { return try Network(proxy) } catch {
                    guard case .invalidConfiguration(let problem) = error else { throw error }
                    throw .invalidConfiguration("trusted proxy: \(problem)")
                }
            }, field: proxyField)
    }

    func validatedConnectionsPerAddress() throws(BackendError) -> Int {
        guard (1...ConnectionBounds.maximum).contains(connectionsPerAddress) else {
            throw .invalidConfiguration(
                "the connections of one address have to be 1 to \(ConnectionBounds.maximum)")
        }
        return connectionsPerAddress
    }

    func validatedDatabaseConnections() throws(BackendError) -> Int {
        guard (1...500).contains(databaseConnections) else {
            throw .invalidConfiguration("the connections to the database have to be 1 to 500")
        }
        return databaseConnections
    }

    func validatedCodeLifetime() throws(BackendError) -> Duration {
        guard (.seconds(10)...LoginSession.lifetime).contains(codeLifetime) else {
            throw .invalidConfiguration("a page shows its code for 10 to 300 seconds")
        }
        return codeLifetime
    }

    func validatedPinLength() throws(BackendError) -> Int {
        guard (4...6).contains(pinLength) else {
            throw .invalidConfiguration("a PIN has to have 4, 5 or 6 digits")
        }
        return pinLength
    }

    func clientPolicy() throws(BackendError) -> ClientPolicy {
        let companyID = try validatedCompanyID()
        var version: ClientVersion?
        if let minimumClientVersion {
            version = ClientVersion(minimumClientVersion)
            guard version != nil else {
                throw .invalidConfiguration("the minimum client version has to be numbers and dots, e.g. 1.2.0")
            }
        }
        return ClientPolicy(companyID: companyID, minimumVersion: version)
    }

    /// - Throws: `BackendError.invalidConfiguration` for a redirect URI that is not an absolute web address or has a
    ///   fragment (RFC 6749, section 3.1.2), and for a client id that is missing or used twice.
    func clientRegistration() throws(BackendError) -> ClientRegistration {
        let areValid =
            redirectURIs.allSatisfy { RedirectAddress.isValid($0) }
            && publicClients.allSatisfy { RedirectAddress.isValid($0.redirectURI, isPublic: true) }
        guard areValid else {
            throw .invalidConfiguration(
                "the redirect URI has to be an absolute address such as https://app.example.com/login, without "
                    + "fragment")
        }
        // A key set shows the previous key for a day.
        guard (.seconds(60)...Duration.seconds(43200)).contains(tokenLifetime) else {
            throw .invalidConfiguration("access and ID tokens count for 60 to 43200 seconds")
        }
        guard (.zero...Duration.seconds(2_592_000)).contains(refreshTokenLifetime) else {
            throw .invalidConfiguration("refresh tokens count for 0 (there are none) to 2592000 seconds")
        }
        guard (.zero...Duration.seconds(43200)).contains(browserSessionLifetime) else {
            throw .invalidConfiguration("a browser stays logged in for 0 (not at all) to 43200 seconds")
        }
        var clients: [String: OpenIDClient] = [:]
        for client in publicClients {
            guard !client.id.isEmpty, client.id.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw .invalidConfiguration("the id of a public client has to be visible ASCII characters")
            }
            let known = clients[client.id]?.redirectURIs ?? []
            clients[client.id] = OpenIDClient(
                id: client.id, name: client.id, redirectURIs: known + [client.redirectURI])
        }
        return ClientRegistration(
            redirectURIs: redirectURIs, requiresProofKeys: requiresProofKeys, tokenLifetime: tokenLifetime,
            refreshLifetime: refreshTokenLifetime, sessionLifetime: browserSessionLifetime,
            publicClients: clients.values.sorted { $0.id < $1.id })
    }

    func mailServer() throws(BackendError) -> MailServer? {
        guard let mail else { return nil }
        let parts = URLComponents(string: mail.url)
        guard let parts, parts.scheme == "smtp" || parts.scheme == "smtps", parts.host?.isEmpty == false,
            parts.user == nil
        else {
            throw .invalidConfiguration(
                "the mail server has to be smtp://host:port or smtps://host:port, without a user name in it")
        }
        guard MailAddress.isValid(mail.sender) else {
            throw .invalidConfiguration("the sender of mails has to be a mail address")
        }
        if let file = mail.certificatesFile { _ = try StateDirectory.content(of: file, .unaltered) }
        return MailServer(
            url: mail.url, sender: mail.sender, userName: mail.userName,
            password: try mail.passwordFile.map { path throws(BackendError) in try StateDirectory.firstLine(of: path) },
            requiresTLS: mail.requiresTLS, certificatesFile: mail.certificatesFile)
    }

    func passphrase() throws(BackendError) -> SecretBytes? {
        guard let passphraseFile else { return nil }
        return try StateDirectory.firstLine(of: passphraseFile)
    }
}
