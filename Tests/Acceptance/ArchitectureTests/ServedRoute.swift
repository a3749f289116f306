// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A route of the backend, as far as its declaration says it: `group.post("pass1")`.
struct ServedRoute {
    var method: String
    /// Behind the path of the group, whose declaration is elsewhere.
    var path: String

    /// The paths of groups, below a project's URL.
    private static let groups: Set<String> = ["", "rps", "dta", "login", "authorize/{}"]

    static func all() throws -> [ServedRoute] {
        try SourceTree.sources(of: "ReferenceBackend").flatMap { source in
            let oneMethod = source.matches(of: /\.(get|post|put|delete)\("([^"]*)"\)/).map {
                // A path that is put together from parts is served as far as its last part says it.
                let path = $0.output.2.replacing(/\\\([a-z]+\)/, with: "")
                return ServedRoute(method: $0.output.1.uppercased(), path: normalized(path))
            }
            // In a loop over both methods that a client may use.
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

    /// Without slashes at the ends; names and values of parameters are all the same.
    private static func normalized(_ path: some StringProtocol) -> String {
        path.split(separator: "/").map { $0.hasPrefix("{") || $0.allSatisfy(\.isNumber) ? "{}" : String($0) }
            .joined(separator: "/")
    }
}
