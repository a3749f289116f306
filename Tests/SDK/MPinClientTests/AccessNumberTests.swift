// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Patience
import Testing

/// The check digit of typed access numbers.
@Suite struct AccessNumberTests {
    @Test(arguments: [
        ("4910036", true), ("4910037", false), ("1234560", true), ("1234561", false), ("0000000", true),
        // Too short, too long or no number: the rule requires seven digits.
        ("491003", false), ("49100360", false), ("491003a", false), ("4", false),
        ("7a65de7b2ea743e795255dfe7baa1c05", false),
    ]) func checksTheLastDigit(_ number: String, _ isValid: Bool) async throws {
        let device = try await Device().ready()
        #expect(try await passes(number, device) == isValid)
        #expect(device.transport.requests.isEmpty)
    }

    @Test func everyNumberHasOneLastDigit() async throws {
        let device = try await Device().ready()
        let seed: UInt64 = 0xACCE_55
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let digits = (0..<6).map { _ in Int.random(in: 0...9, using: &random) }
            let sum = zip(digits, [7, 6, 5, 4, 3, 2]).reduce(0) { $0 + $1.0 * $1.1 }
            let number = digits.map(String.init).joined()
            for last in 0...9 {
                let isRight = (sum + (last == 0 ? 0 : last)) % 11 == 0 || (last == 0 && sum % 11 == 1)
                #expect(try await passes(number + "\(last)", device) == isRight, "seed \(seed): \(number)\(last)")
            }
        }
    }

    /// Without the rule every number is accepted, and the server decides.
    @Test(arguments: [("cSum", 0), ("cSum", nil), ("accessNumberUseCheckSum", nil), ("accessNumberDigits", 6)])
    func leavesNumbersAloneWhereTheBackendHasNoRule(_ key: String, _ value: Int?) async throws {
        let device = try Device()
        device.server.tell([key: value])
        _ = try await device.ready()
        #expect(try await passes("4910037", device))
        #expect(try await passes("7a65de7b2ea743e795255dfe7baa1c05", device))
    }

    private func passes(_ number: String, _ device: Device) async throws -> Bool {
        let code = try #require(AccessCode(number))
        do { try await device.mpin.checkAccessNumber(code) } catch {
            #expect(error.status == .incorrectAccessNumber && error.httpStatus == nil)
            #expect(!error.detail.contains(number))
            return false
        }
        return true
    }
}
