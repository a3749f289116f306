// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import PersonalCards

// Codes, scanned or typed: read and checked before the machine sees them.
extension Kiosk {
    /// The parts of a code that the machine passes on in a handle without knowing them.
    struct SeenCode {
        /// The request of a login.
        var request: SessionRequest?
        /// The part that activates a registration.
        var activation: SecretBytes?
        /// A personal card.
        var card: (card: PersonalCard, text: SecretBytes)?
        /// A profile, from a code or a file.
        var profile: SecretBytes?
    }

    /// A code in view, as far as the machine may know it. The other parts are in its handle.
    func reading(of symbol: Symbol) -> CodeReading {
        let wanted = machine.wantedReadings
        let digest = CodeDigest(symbol.payload)
        var reading: CodeReading
        var parts = SeenCode()
        do {
            let (decision, request) = check(try LoginRequest(symbol), isTyped: false)
            reading = CodeReading(digest: digest, decision: decision)
            parts.request = request
        } catch {
            reading = CodeReading(digest: digest, decision: .refused(error))
            readOther(symbol, wantsDocument: wanted.contains(.document), into: &reading, &parts)
        }
        if wanted.contains(.address) { reading.address = EmailAddress(symbol) }
        if wanted.contains(.activation), let found = activation(in: symbol) {
            (reading.activation, parts.activation) = (found.reading, found.code)
        }
        reading.handle = Handle(parts)
        return reading
    }

    /// Reads a code that is not a login code.
    private func readOther(
        _ symbol: Symbol, wantsDocument: Bool, into reading: inout CodeReading, _ parts: inout SeenCode
    ) {
        switch menuCard(in: symbol) {
        case .success(let card)?: reading.card = card
        case .failure(let refusal)?: reading.decision = .refused(refusal)
        case nil: break
        }
        if let found = personalCard(in: symbol) {
            reading.personalCard = found.reading
            parts.card = found.card.map { ($0, symbol.payload) }
        } else if let found = profile(in: symbol) {
            reading.profile = found
            parts.profile = symbol.payload
        } else if wantsDocument {
            // A code that is not a login is not a secret.
            reading.document = symbol.document
        }
    }

    /// Returns the meaning of a code in view for a person who registers, and its secret.
    private func activation(in symbol: Symbol) -> (reading: ActivationReading, code: SecretBytes)? {
        guard symbol.parts == 1 else { return nil }
        if let link = symbol.payload.withBytes({ VerificationLink(symbol: $0) }) {
            guard trust.allows(link.address.origin), mayCount(link) else { return nil }
            let service = services.firstIndex { $0.address.origin == link.address.origin }
            return (.link(userID: link.userID, service: service), link.code)
        }
        let code = symbol.payload.trimmed
        return CodeEntry.accepts(code) ? (.code, code) : nil
    }

    /// Whether the link belongs to the session's service. Only the service of a mail's link may get its code, no other
    /// backend.
    private func mayCount(_ link: VerificationLink) -> Bool {
        guard let offer = file.offer, let request = file.request else { return true }
        let origin = link.address.origin
        return request.baseURL.origin == origin || trust.joins(origin, offer.backendURL.origin)
    }

    /// Handles a typed code as if it had been scanned.
    func submitCode(_ service: TypedService) {
        let symbol = service.symbol(accessCode: file.typedCode)
        guard let request = symbol.withBytes({ bytes in try? LoginRequest(symbol: bytes) }) else {
            return carryOut(machine.codeTyped(nil))
        }
        let (decision, opened) = check(request, isTyped: true)
        carryOut(
            machine.codeTyped(
                CodeReading(
                    digest: CodeDigest(symbol), decision: decision, handle: Handle(SeenCode(request: opened)))))
    }

    /// Checks a request by grammar and trust list before anything leaves the kiosk.
    private func check(
        _ request: LoginRequest, isTyped: Bool
    ) -> (decision: CodeReading.Decision, opened: SessionRequest?) {
        switch trust.check(request.baseURL.origin) {
        case .allowed:
            let opened = SessionRequest(request, isTyped: isTyped)
            return (.login(domain: opened.domain), opened)
        case .refused(let refusal): return (.refused(.untrusted(refusal)), nil)
        }
    }
}

extension Handle {
    /// The parts of the code in the handle.
    var seen: Kiosk.SeenCode? { value(as: Kiosk.SeenCode.self) }
}
