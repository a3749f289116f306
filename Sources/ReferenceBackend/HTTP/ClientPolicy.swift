// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// Which clients the service is for: a company id and a lowest version, each only if configured.
struct ClientPolicy: Sendable {
    /// What newer clients call it, and what the classic one does.
    private static let companyIDHeaders = ["X-MIRACL-CID", "X-MIRACL-Client-ID"].compactMap { HTTPField.Name($0) }
    private static let clientHeader = HTTPField.Name("X-MIRACL-CLIENT")

    let companyID: String?
    let minimumVersion: ClientVersion?

    /// The same for the devices of one company alone.
    func requiring(companyID: String) -> ClientPolicy {
        ClientPolicy(companyID: companyID, minimumVersion: minimumVersion)
    }

    /// - Throws: `Refusal` 406 when a company id is configured and the request carries none or another.
    func checkCompany(_ request: Request) throws {
        guard let companyID else { return }
        guard Self.isNamed(companyID, by: request) else { throw Refusal(406, "Client not accepted") }
    }

    static func isNamed(_ companyID: String, by request: Request) -> Bool {
        companyIDHeaders.lazy.compactMap { request.headers[$0] }.first == companyID
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
