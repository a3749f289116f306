// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// Which clients the service is for: a company id and a lowest version, each only if configured.
struct ClientPolicy: Sendable {
    private static let companyIDHeader = HTTPField.Name("X-MIRACL-CID")
    private static let clientHeader = HTTPField.Name("X-MIRACL-CLIENT")

    let companyID: String?
    let minimumVersion: ClientVersion?

    /// - Throws: `Refusal` 406 when a company id is configured and the request carries none or another.
    func checkCompany(_ request: Request) throws {
        guard let companyID else { return }
        let claimed = Self.companyIDHeader.flatMap { request.headers[$0] }
        guard claimed == companyID else { throw Refusal(406, "Client not accepted") }
    }

    /// - Throws: `Refusal` 412 when this program's client names an older version than the configured one. Other clients
    ///   and clients that name nothing are let through.
    func checkVersion(_ request: Request) throws {
        guard let minimumVersion, let claimed = Self.clientHeader.flatMap({ request.headers[$0] }) else { return }
        let product = claimed.split(separator: " ").first ?? ""
        guard product.hasPrefix("login-kiosk/") else { return }
        guard let version = ClientVersion(product.dropFirst("login-kiosk/".count)), version >= minimumVersion else {
            throw Refusal(412, "Client version too old")
        }
    }
}
