// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A route of the backend, as declared: `group.post("pass1")`.
struct ServedRoute {
    var method: String
    /// The path after that of the group, which is declared elsewhere.
    var path: String

    /// The paths of groups below a project's URL.
    private static let groups: Set<String> = ["", "rps", "dta", "login", "authorize/{}"]

    static func all() throws -> [ServedRoute] {
        try (SourceTree.sources(of: "ReferenceBackend") + SourceTree.sources(of: "OperatorPage")).flatMap { source in
            let oneMethod = source.matches(of: /\.(get|post|put|delete)\("([^"]*)"\)/).map {
                // A path that is composed of parts counts by its last part.
                let path = $0.output.2.replacing(/\\\([a-z]+\)/, with: "")
                return ServedRoute(method: $0.output.1.uppercased(), path: normalized(path))
            }
            // In a loop over both methods.
            let bothMethods = source.matches(of: /\.on\("([^"]*)", method: method\)/).flatMap { route in
                ["GET", "POST"].map { ServedRoute(method: $0, path: normalized(route.output.1)) }
            }
            return oneMethod + bothMethods
        }
    }

    func serves(_ request: FlowPage.Request) -> Bool {
        guard method == request.method else { return false }
        let wanted = ServedRoute.normalized(request.path[...])
        return ServedRoute.groups.contains { ($0.isEmpty ? path : $0 + "/" + path) == wanted }
    }

    /// The path without slashes at the ends. Names and values of parameters are replaced by `{}`.
    private static func normalized(_ path: some StringProtocol) -> String {
        path.split(separator: "/").map { $0.hasPrefix("{") || $0.allSatisfy(\.isNumber) ? "{}" : String($0) }
            .joined(separator: "/")
    }
}
