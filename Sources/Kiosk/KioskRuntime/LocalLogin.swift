// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import LoginValues
public import MPinClient

/// A door that people open by logging in at the kiosk itself, which acts as the application of a relying party.
public struct LocalLogin: Sendable {
    /// The name in the menu.
    let name: String
    /// Host and port of the application's server.
    let domain: String
    let application: RelyingPartyApplication
    /// The address above `/service`, by which the platform knows where the application logs its people in.
    let discovery: WebAddress
    let door: any Door

    /// - Parameters:
    ///   - application: on the SDK's transport and trust list.
    ///   - discovery: nil if the application's own server names its platform.
    ///   - trust: checks the application's server before anything leaves the kiosk.
    /// - Returns: nil when the server is not on the trust list.
    public init?(
        _ name: String, application: RelyingPartyApplication, discovery: WebAddress? = nil, door: any Door,
        trust: TrustPolicy
    ) {
        guard trust.allows(application.address.origin) else { return nil }
        self.name = name
        domain = application.address.origin.hostAndPort
        self.application = application
        self.discovery = discovery ?? application.address
        self.door = door
    }
}
