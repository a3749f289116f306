// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import LoginValues
public import MPinClient

/// A door that people open by logging in at the kiosk itself, which is then the application of a relying party.
public struct LocalLogin: Sendable {
    /// The name in the menu.
    let name: String
    /// Host and port of the application's server.
    let domain: String
    let application: RelyingPartyApplication
    /// Below it is `/service`, which tells the platform that the application logs its people in at.
    let discovery: WebAddress
    let door: any Door

    /// - Parameters:
    ///   - application: on the SDK's transport and trust list.
    ///   - discovery: nil where the application's own server tells its platform.
    ///   - trust: decides about the application's server before anything leaves the kiosk.
    /// - Returns: nil when the server is not on the trust list.
    public init?(
        _ name: String, application: RelyingPartyApplication, discovery: WebAddress? = nil, door: any Door,
        trust: TrustPolicy
    ) {
        guard trust.allows(application.address.origin) else { return nil }
        self.name = name
        domain = application.address.origin.place
        self.application = application
        self.discovery = discovery ?? application.address
        self.door = door
    }
}
