// SPDX-License-Identifier: Apache-2.0

import BackendValues
import HTTPTypes
import Hummingbird

/// The clients that the service accepts: a company id and a lowest version, if configured.
struct ClientPolicy: Sendable {
    /// Header fields with the company id: that of newer clients, then the classic one.
    private static let companyIDHeaders = ["X-MIRACL-CID", "X-MIRACL-Client-ID"].compactMap { HTTPField.Name($0) }
    private static let clientHeader = HTTPField.Name("X-MIRACL-CLIENT")

    let companyID: String?
    let minimumVersion: ClientVersion?
    /// Whether a device may leave the company id out.
    var takesUnnamed = false

    /// The policy of an endpoint whose devices know the project. Only the operator's own company id must be sent.
    func of(project projectID: String) -> ClientPolicy {
        ClientPolicy(
            companyID: companyID ?? projectID, minimumVersion: minimumVersion, takesUnnamed: companyID == nil)
    }

    /// - Throws: `Refusal` 406 when the request carries another company id, or none though one must be sent.
    func checkCompany(_ request: Request) throws {
        guard let companyID else { return }
        let named = Self.company(namedBy: request)
        guard named == companyID || named == nil && takesUnnamed else { throw Refusal(406, "Client not accepted") }
    }

    private static func company(namedBy request: Request) -> String? {
        companyIDHeaders.lazy.compactMap { request.headers[$0] }.first
    }

    static func isNamed(_ companyID: String, by request: Request) -> Bool {
        company(namedBy: request) == companyID
    }

    /// - Throws: `Refusal` 412 when a login-kiosk is older than the configured version. Other clients, and clients
    ///   without a version, are accepted.
    func checkVersion(_ request: Request) throws {
        guard let minimumVersion, let claimed = Self.clientHeader.flatMap({ request.headers[$0] }) else { return }
        let product = claimed.split(separator: " ").first ?? ""
        guard product.hasPrefix("login-kiosk/") else { return }
        guard let version = ClientVersion(product.dropFirst("login-kiosk/".count)), version >= minimumVersion else {
            throw Refusal(412, "Client version too old")
        }
    }
}

/// A version of dotted numbers. Missing numbers are zero. Text after `-` or `+` is ignored.
struct ClientVersion: Comparable, Sendable {
    private let numbers: [Int]

    /// Nil unless the text is one to four dotted numbers.
    init?(_ text: some StringProtocol) {
        let core = text.prefix { $0 != "-" && $0 != "+" }
        var numbers: [Int] = []
        for part in core.split(separator: ".", omittingEmptySubsequences: false) {
            guard (1...9).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        guard (1...4).contains(numbers.count) else { return nil }
        self.numbers = numbers + Array(repeating: 0, count: 4 - numbers.count)
    }

    static func < (left: ClientVersion, right: ClientVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}

/// Refuses devices of other companies.
struct CompanyMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    let policy: ClientPolicy

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try policy.checkCompany(request)
        return try await next(request, context)
    }
}
