// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Patience
import Testing

@testable import MPinServer
@testable import ReferenceBackend

@Suite struct AccessNumberTests {
    @Test(arguments: [
        ([4, 9, 1, 0, 0, 3], 6),
        // 7 * 1 = 7, 11 - 7 = 4.
        ([1, 0, 0, 0, 0, 0], 4),
    ])
    func theCheckDigit(_ leading: [Int], _ digit: Int) {
        #expect(AccessNumber.checkDigit(of: leading) == digit)
    }

    @Test(arguments: [
        // A sum of 0 modulo 11 gives 0. A sum of 1 gives 10, for which the server draws another number.
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 6],
    ])
    func aNumberThatIsNeverIssued(_ leading: [Int]) {
        #expect(AccessNumber.checkDigit(of: leading) == nil)
    }

    @Test func whatIsDrawnPassesTheClientsCheck() {
        var generator = SplitMix64(seed: 0x5eed)
        for _ in 0..<1000 {
            let number = AccessNumber.random(using: &generator)
            let digits = number.compactMap(\.wholeNumberValue)
            #expect(number.count == 7 && digits.count == 7)
            var sum = 0
            for (digit, weight) in zip(digits, [7, 6, 5, 4, 3, 2]) { sum += digit * weight }
            #expect(digits[6] == (11 - sum % 11) % 11 % 10)
            #expect(digits[6] != 0)
        }
    }
}
