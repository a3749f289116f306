// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// What a person consents to by giving the PIN.
public struct LoginQuestion: Sendable, Hashable {
    public let service: DisplayText
    public let place: PINPlace
    /// Empty when the backend does not say.
    public let application: DisplayText
    public let customer: DisplayText
    public let userID: String
}
