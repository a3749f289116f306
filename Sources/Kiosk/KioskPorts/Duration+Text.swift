// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// Text for people: `0.3 s`, `5.6 s`, `12 s`. More digits help nobody.
    public var text: String {
        let tenths = Int64((self / .milliseconds(100)).rounded())
        guard abs(tenths) < 100, tenths % 10 != 0 else { return "\(Int64((self / .seconds(1)).rounded())) s" }
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10) s"
    }
}
