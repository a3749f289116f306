// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Testing

@testable import MPinClient

@Suite("Wrong PINs since the previous login, in the final reply")
struct WrongPINsTests {
    private static func read(_ text: String) throws -> WrongPINs? {
        WrongPINs(try JSONObject(text))
    }

    @Test func areRead() throws {
        #expect(
            try Self.read(#"{"wrongPins":{"count":2,"last":1795694400,"where":"x"}}"#)
                == WrongPINs(count: 2, last: 1_795_694_400))
    }

    @Test(
        "Unreadable counts do not prevent the login",
        arguments: [
            "{}", #"{"wrongPins":null}"#, #"{"wrongPins":2}"#, #"{"wrongPins":{}}"#, #"{"wrongPins":{"count":2}}"#,
            #"{"wrongPins":{"count":0,"last":1}}"#, #"{"wrongPins":{"count":-1,"last":1}}"#,
            #"{"wrongPins":{"count":10000,"last":1}}"#, #"{"wrongPins":{"count":2,"last":-1}}"#,
            #"{"wrongPins":{"count":2,"last":253402300800}}"#, #"{"wrongPins":{"count":"2","last":1}}"#,
        ])
    func areNot(_ text: String) throws { #expect(try Self.read(text) == nil) }
}
