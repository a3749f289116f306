// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compares `docs/flows.md`, which shows the messages on the wire, with the sources as far as possible.
@Suite("The pictures of the flows match the sources")
struct FlowPicturesTests {
    /// A method, and a path without slashes at its ends, where `{}` stands for names and values of parameters.
    private struct Request: Hashable {
        var method: String
        var path: String

        init(_ method: some StringProtocol, _ path: some StringProtocol) {
            self.method = method.uppercased()
            self.path = path.split(separator: "/")
                .map { $0.hasPrefix("{") || $0.allSatisfy(\.isNumber) ? "{}" : String($0) }.joined(separator: "/")
        }
    }

    private static let page = Result { try Page(path: "docs/flows.md") }
    private static let nameTable = "Names in the log"

    private static func chapters() throws -> [(title: String, text: String)] {
        try page.get().whole.components(separatedBy: "\n## ").dropFirst().map { chapter in
            let title = chapter.prefix { $0 != "\n" }
            return (String(title), String(chapter.dropFirst(title.count)))
        }
    }

    /// The paths of groups below a project's URL, which are declared elsewhere than their routes.
    private static let groups = ["", "rps/", "dta/", "login/", "authorize/{}/"]

    /// The requests that the backend serves, by the declarations of its routes: `group.post("pass1")`.
    private static func served() throws -> Set<Request> {
        let sources = try SourceTree.sources(of: "ReferenceBackend") + SourceTree.sources(of: "OperatorPage")
        var routes: [(method: String, path: String)] = []
        for source in sources {
            for route in source.matches(of: /\.(get|post|put|delete)\("([^"]*)"\)/) {
                // A path that is composed of parts counts by its last part.
                routes.append((String(route.output.1), String(route.output.2.replacing(/\\\([a-z]+\)/, with: ""))))
            }
            // In a loop over both methods.
            for route in source.matches(of: /\.on\("([^"]*)", method: method\)/) {
                routes += ["get", "post"].map { ($0, String(route.output.1)) }
            }
        }
        #expect(routes.count > 50, "routes are not found any more: \(routes.count)")
        return Set(routes.flatMap { route in groups.map { Request(route.method, $0 + route.path) } })
    }

    @Test("The backend serves every request in a picture")
    func requestsAreServed() throws {
        let served = try Self.served()
        let requests = try Self.page.get().whole.matches(of: /\b(GET|POST|PUT|DELETE) (\/[A-Za-z0-9_.{}\/-]*)/)
            .map { Request($0.output.1, $0.output.2) }
        #expect(requests.count > 100, "requests are not found any more: \(requests.count)")
        let unserved = Set(requests).subtracting(served)
        #expect(unserved.isEmpty, "no route of ReferenceBackend serves \(unserved)")
        for (method, path) in [("GET", "/rps/pass1"), ("POST", "/pass3"), ("POST", "/elsewhere/pass1")] {
            #expect(!served.contains(Request(method, path)), "the check finds no unserved request")
        }
    }

    @Test("The table of names contains each name of the SDK's requests once")
    func namesAreThoseOfTheSDK() throws {
        let names = try SourceTree.text("Sources/SDK/MPinClient/Wire/RequestKind.swift")
            .matches(of: /case \w+ = "([^"]+)"/).map { String($0.output.1) }
        let table = try Self.chapters().first { $0.title == Self.nameTable }?.text ?? ""
        let told = table.matches(of: /\n\| ([a-z][^|]*) \|/).map { String($0.output.1) }
        #expect(told.sorted() == names.sorted() && !names.isEmpty)
    }

    @Test("Every flow has a picture and a link in the table of flows")
    func everyFlowHasAPicture() throws {
        let flows = try Self.chapters().filter { $0.title != Self.nameTable }
        #expect(flows.count > 10, "flows are not found any more")
        #expect(flows.filter { !$0.text.contains("```mermaid\nsequenceDiagram\n") }.map(\.title) == [])
        let linked = try Self.page.get().whole.matches(of: /\n\| \[([^\]]+)\]\(#[a-z-]+\) \|/)
        #expect(linked.map { String($0.output.1) } == flows.map(\.title))
    }

    @Test("No picture contains a character that ends a text in Mermaid")
    func picturesCanBeRead() throws {
        let lines = try Self.page.get().blocks(in: "mermaid").flatMap { $0.split(separator: "\n") }
        #expect(lines.count > 100, "pictures are not found any more")
        #expect(lines.filter { $0.contains(";") || $0.contains("#") } == [])
    }
}
