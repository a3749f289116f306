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
        let state = TemporaryFolder()
        let configuration = Backend.Configuration(stateDirectory: state.path, companyID: companyID)
        let error = #expect(throws: BackendError.self) {
            try Backend(configuration: configuration, logger: LogCapture().logger)
        }
        #expect(error.map { "\($0)" }?.contains("project id") == true)
    }

    @Test(arguments: ["x", String(repeating: "~", count: 128), "a\"b<c>&d"])
    func theRestIsTheProjectsID(_ companyID: String) async throws {
        try await withBackend(configure: { $0.companyID = companyID }) { backend in
            let project = try await backend.client.get("/trust-2025/.well-known/project-configuration")
            #expect(project.object.string("id") == companyID)
        }
    }
}
