// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient

func json(_ object: [String: Any]) -> FakeTransport.Behaviour {
    guard let data = try? encoded(object) else { return .status(500) }
    return .json(String(decoding: data, as: UTF8.self))
}

func encoded(_ object: [String: Any]) throws -> [UInt8] {
    Array(try JSONSerialization.data(withJSONObject: object, options: [.withoutEscapingSlashes]))
}

func object(_ request: HTTPRequest) -> [String: Any]? { request.body.flatMap(object) }

func object(_ body: SecretBytes) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: Data(text(body).utf8))) as? [String: Any]
}

func text(_ bytes: SecretBytes) -> String {
    bytes.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
}

func text(_ code: AccessCode) -> String {
    code.withCharacters { characters in String(decoding: characters.indices.map { characters[$0] }, as: UTF8.self) }
}

func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

func hex(_ bytes: Span<UInt8>) -> String { hex(bytes.indices.map { bytes[$0] }) }

func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
}

func makePin(_ digits: String) throws -> Pin {
    var entry = PinEntry()
    for digit in digits.utf8 { entry.append(digit - 0x30) }
    guard let pin = Pin(entry) else { throw PinIsTooShort() }
    return pin
}

/// A PIN, or nil where nobody typed one.
func typedPIN(_ digits: String?) throws -> Pin? {
    guard let digits else { return nil }
    return try makePin(digits)
}

struct PinIsTooShort: Error {}

let accessCode: AccessCode = {
    guard let code = AccessCode("7a65de7b2ea743e795255dfe7baa1c05") else { fatalError("a well-formed code") }
    return code
}()
