// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension KioskMachine {
    /// What a session signs, as far as it is known.
    struct Signing: Sendable {
        /// What the operator calls it, where it is one of the templates.
        var title: DisplayText?
        /// What the person reads: the document, or what the service says about it; nil when it says nothing.
        var pages: DocumentPages?
        /// Whether the document is not here, but with the service.
        var isDescribed: Bool
        /// Of a scanned session at once; else what the service made of the document, which the interpreter has compared.
        var hash: DocumentHash?
    }
}

extension KioskMachine.Session {
    /// Whether the PIN that is asked for is the login's and leads to a key for signing.
    func registersKey(for identity: KioskIdentity) -> Bool { purpose == .signing && identity.signing == .needsKey }
}

extension KioskIdentity {
    /// As its PIN is asked for a signature: where that is a PIN of its own, with the length of that one.
    var askedForSigning: KioskIdentity {
        guard case .withOwnPIN(let length) = signing else { return self }
        var identity = self
        (identity.pinLength, identity.requiredPINLength) = (length, length)
        return identity
    }

    /// As a PIN for signing is chosen: no server has a word in its length.
    var choosingForSigning: KioskIdentity {
        var identity = self
        (identity.pinLength, identity.requiredPINLength) = (nil, nil)
        return identity
    }
}
