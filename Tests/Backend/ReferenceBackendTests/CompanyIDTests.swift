// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import Testing

@testable import BackendValues
@testable import ReferenceBackend

/// The company id becomes the project id of the dialects since mfa-v2, whose clients accept only one form.
@Suite struct CompanyIDTests {
    @Test(arguments: [
        "our company", "a#b", "caf\u{e9}", "tab\tbed", "line\n", "\u{7f}", String(repeating: "x", count: 129), " ",
    ])
    func whatNoProjectIsCalledIsRefused(_ companyID: String) throws {
        #expect(Backend.complaint(options: ["--company-id", companyID]).contains("project id"))
    }

    @Test(arguments: ["x", String(repeating: "~", count: 128), "a\"b<c>&d"])
    func theRestIsTheProjectsID(_ companyID: String) async throws {
        try await withBackend(options: ["--company-id", companyID]) { backend in
            let project = try await backend.client.get("/trust-2025/.well-known/project-configuration")
            #expect(project.object.string("id") == companyID)
        }
    }
}
