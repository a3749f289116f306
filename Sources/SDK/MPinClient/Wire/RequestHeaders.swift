// SPDX-License-Identifier: Apache-2.0

/// The headers of all dialects, and of the requests before a dialect is known (docs/protocol/milagro.md, section 3).
enum RequestHeaders {
    /// - Parameter sendsClientID: whether the company id is also sent under its old name.
    static func make(
        for method: HTTPRequest.Method, _ configuration: MPin.Configuration, sendsClientID: Bool = true
    ) -> [HTTPHeader] {
        var headers: [HTTPHeader] = []
        if method != .get {
            headers.append(HTTPHeader("Content-Type", "application/json; charset=UTF-8"))
            headers.append(HTTPHeader("Accept", "text/plain"))
        }
        if let companyID = configuration.companyID {
            headers.append(HTTPHeader("X-MIRACL-CID", companyID))
            if sendsClientID { headers.append(HTTPHeader("X-MIRACL-Client-ID", companyID)) }
        }
        headers.append(HTTPHeader("X-MIRACL-OS-Class", configuration.osClass))
        headers.append(HTTPHeader("X-MIRACL-CLIENT", "login-kiosk/\(configuration.clientVersion)"))
        return withCustomHeaders(headers, configuration)
    }

    /// The headers of the trust dialects (docs/protocol/miracl.md, section 2).
    static func makeForTrust(_ method: HTTPRequest.Method, _ configuration: MPin.Configuration) -> [HTTPHeader] {
        var headers: [HTTPHeader] = []
        if method != .get { headers.append(HTTPHeader("Content-Type", "application/json")) }
        if let projectID = configuration.companyID { headers.append(HTTPHeader("X-MIRACL-CID", projectID)) }
        headers.append(HTTPHeader("X-MIRACL-CLIENT", "login-kiosk/\(configuration.clientVersion)"))
        return withCustomHeaders(headers, configuration)
    }

    private static func withCustomHeaders(
        _ headers: [HTTPHeader], _ configuration: MPin.Configuration
    ) -> [HTTPHeader] {
        let custom = Set(configuration.customHeaders.map { $0.name.lowercased() })
        return headers.filter { !custom.contains($0.name.lowercased()) } + configuration.customHeaders
    }
}
