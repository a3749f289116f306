// SPDX-License-Identifier: Apache-2.0

import KioskCore
import Logging
import LoginValues
import MPinClient

/// The steps of a login on the SDK.
struct MPinSteps: LoginSteps {
    let sdk: MPin
    let logger: Logger
    /// The application of a service that wants documents signed; nil where nobody is asked to sign.
    var applications: (@Sendable (_ service: WebAddress) -> RelyingPartyApplication)?
    let desk = SigningDesk()

    func readService(at baseURL: WebAddress) async throws(KioskFailure) -> ServiceOffer {
        let details = try await call("service") { () throws(MPinError) in
            try await sdk.serviceDetails(at: baseURL)
        }
        return ServiceOffer(
            name: DisplayText(details.name), backendURL: details.backendURL, rpsPrefix: details.rpsPrefix,
            namedBy: details.namedBy)
    }

    func openBackend(
        _ offer: ServiceOffer, accessCode: AccessCode?
    ) async throws(KioskFailure) -> BackendSession {
        try await call("backend") { () throws(MPinError) in
            try await sdk.setBackend(offer.backendURL, rpsPrefix: offer.rpsPrefix, namedBy: offer.namedBy)
            desk.lay(nil)
            let (details, session) =
                if let accessCode { try await scanned(accessCode) } else { (SessionDetails(), SigningSession?.none) }
            let request = try session.map { session throws(MPinError) in try SigningRequest(session) }
            if let session { desk.lay(.session(session)) }
            return BackendSession(
                application: DisplayText(details.appName), customer: DisplayText(details.customerName),
                namedUser: session.map(\.userID).flatMap { $0.isEmpty ? nil : $0 } ?? details.prerollID,
                signing: request,
                identities: try await people().map { KioskIdentity($0) })
        }
    }

    /// Only a number has a check digit; the code of a QR picture, copied by hand, has none.
    func checkTyped(_ accessCode: AccessCode) async throws(KioskFailure) {
        let isNumber = accessCode.withCharacters { characters in
            characters.indices.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(characters[$0]) }
        }
        guard isNumber else { return }
        try await call("access number") { () throws(MPinError) in try await sdk.checkAccessNumber(accessCode) }
    }

    func startRegistration(
        userID: String, accessCode: AccessCode?
    ) async throws(KioskFailure) -> KioskIdentity {
        try await call("start registration") { () throws(MPinError) in
            let user = await sdk.makeNewUser(userID)
            return KioskIdentity(try await sdk.startRegistration(of: user, accessCode: accessCode))
        }
    }

    func restartRegistration(
        of identity: KioskIdentity, accessCode: AccessCode?
    ) async throws(KioskFailure) -> KioskIdentity {
        try await call("restart registration") { () throws(MPinError) in
            KioskIdentity(
                try await sdk.restartRegistration(of: try await user(identity), accessCode: accessCode))
        }
    }

    func confirmRegistration(of identity: KioskIdentity) async throws(KioskFailure) {
        try await call("confirm registration") { () throws(MPinError) in
            _ = try await sdk.confirmRegistration(of: try await user(identity))
        }
    }

    func finishRegistration(
        of identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) -> KioskIdentity {
        do throws(MPinError) {
            return KioskIdentity(try await sdk.finishRegistration(of: try await user(identity), pin: pin))
        } catch {
            throw failure(error, of: "finish registration")
        }
    }

    func startAuthentication(of identity: KioskIdentity, accessCode: AccessCode) async throws(KioskFailure) {
        try await call("start authentication") { () throws(MPinError) in
            try await sdk.startAuthentication(of: try await user(identity), accessCode: accessCode)
        }
    }

    func finishAuthentication(
        of identity: KioskIdentity, pin: consuming Pin, accessCode: AccessCode
    ) async throws(KioskFailure) {
        do throws(MPinError) {
            _ = try await sdk.finishAuthentication(of: try await user(identity), pin: pin, accessCode: accessCode)
        } catch {
            throw failure(error, of: "finish authentication")
        }
    }

    func abort(_ accessCode: AccessCode) async {
        try? await call("abort") { () throws(MPinError) in
            if let session = desk.session(of: accessCode) {
                try await sdk.abortSigningSession(session)
            } else {
                try await sdk.abortSession(accessCode)
            }
        }
    }

    func forgetShares(of identity: KioskIdentity) async {
        if let user = try? await sdk.user(identity.key) { await sdk.forgetShares(of: user) }
    }

    func delete(_ identity: KioskIdentity) async {
        try? await call("delete identity") { () throws(MPinError) in
            if let user = try await sdk.user(identity.key) { try await sdk.deleteUser(user) }
        }
    }

    func user(_ identity: KioskIdentity) async throws(MPinError) -> User {
        guard let user = try await sdk.user(identity.key) else {
            throw MPinError(.misuse, detail: "the identity is not here any more; scan again")
        }
        return user
    }

    /// Everybody with an identity here. Whose address is only being verified has none yet, and may begin as if nothing had
    /// been.
    private func people() async throws(MPinError) -> [User] {
        try await sdk.users().filter { $0.state != .startedVerification }
    }

    func call<Result>(
        _ what: String, _ body: () async throws(MPinError) -> Result
    ) async throws(KioskFailure) -> Result {
        do throws(MPinError) { return try await body() } catch { throw failure(error, of: what) }
    }

    func failure(_ error: MPinError, of what: String) -> KioskFailure {
        logger.notice("\(what) failed", metadata: ["status": "\(error.status.name)", "detail": "\(error.detail)"])
        return KioskFailure(error)
    }
}
