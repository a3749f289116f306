// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import ReferenceBackend

@Suite struct RefusalTests {
    @Test func aMessageCannotBecomeAHeader() {
        let refusal = Refusal(403, "No\r\nSet-Cookie: a=b\u{e9}" + String(repeating: "x", count: 200))
        #expect(refusal.status.code == 403)
        #expect(refusal.status.reasonPhrase == "NoSet-Cookie: a=b" + String(repeating: "x", count: 83))
    }
}
