// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compares `docs/flows.md`, which shows the messages on the wire, with the sources as far as possible.
@Suite("The pictures of the flows match the sources")
struct FlowPicturesTests {
    @Test("The backend serves every request in a picture")
    func requestsAreServed() throws {
        let routes = try ServedRoute.all()
        #expect(routes.count > 50, "routes are not found any more: \(routes.count)")
        let requests = try FlowPage.requests()
        #expect(requests.count > 100, "requests are not found any more: \(requests.count)")
        let unserved = requests.filter { request in !routes.contains { $0.serves(request) } }
        #expect(unserved.isEmpty, "no route of ReferenceBackend serves \(unserved)")
    }

    @Test("The check finds a request that nobody serves")
    func seesAnUnservedRequest() throws {
        let routes = try ServedRoute.all()
        for request in [
            FlowPage.Request(method: "GET", path: "/rps/pass1"), FlowPage.Request(method: "POST", path: "/pass3"),
            FlowPage.Request(method: "POST", path: "/elsewhere/pass1"),
        ] {
            #expect(!routes.contains { $0.serves(request) }, "\(request)")
        }
    }

    @Test("The table of names contains each name of the SDK's requests once")
    func namesAreThoseOfTheSDK() throws {
        let source = SourceTree.file("Sources/SDK/MPinClient/Wire/RequestKind.swift")
        let names = try String(contentsOf: source, encoding: .utf8).matches(of: /case \w+ = "([^"]+)"/)
            .map { String($0.output.1) }
        #expect(try FlowPage.names().sorted() == names.sorted())
    }

    @Test("Every flow has a picture and a link in the table of flows")
    func everyFlowHasAPicture() throws {
        let flows = try FlowPage.flows()
        #expect(flows.count > 10, "flows are not found any more")
        #expect(flows.filter { !$0.hasPicture }.map(\.title) == [])
        #expect(try FlowPage.linkedFlows() == flows.map(\.title))
    }

    @Test("No picture contains a character that ends a text in Mermaid")
    func picturesCanBeRead() throws {
        let lines = try FlowPage.pictures().flatMap { $0.split(separator: "\n") }
        #expect(lines.count > 100, "pictures are not found any more")
        #expect(lines.filter { $0.contains(";") || $0.contains("#") } == [])
    }
}
