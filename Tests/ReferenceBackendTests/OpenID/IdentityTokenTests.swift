// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ReferenceBackend

@Suite struct IdentityTokenTests {
    /// OpenID Connect Core, appendices A.3 and A.4: access token and code of the examples, with their hashes.
    @Test(arguments: [
        ("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", "77QmUPtjPfzWtF2AnpK9RQ"),
        ("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", "LDktKdoQak3Pk0cnXxCltA"),
    ])
    func theHashOfATokenIsTheStandards(_ token: String, _ hash: String) {
        #expect(IdentityToken.hash(ofAccessToken: token) == hash)
    }
}
