// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Scanning

/// The decoders that are measured.
enum Contestant: String, CaseIterable {
    /// The product's own combination.
    case pipeline
    /// zbar on the unchanged frame.
    case zbar
    /// zxing-cpp on the unchanged frame, with all its options.
    case zxing

    /// - Parameter isLive: whether frames follow each other as from a camera, or are independent.
    func decoder(isLive: Bool) -> any SymbolDecoder & ~Copyable {
        switch self {
        case .pipeline: Scanner(effort: isLive ? .withinBudget : .untilFound)
        case .zbar: ZBarDecoder()
        case .zxing: ZXingDecoder(effort: .everything)
        }
    }
}
