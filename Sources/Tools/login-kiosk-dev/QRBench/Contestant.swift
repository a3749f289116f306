// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Scanning

/// The decoders that are measured.
enum Contestant: String, CaseIterable {
    /// The product's own mix.
    case pipeline
    /// zbar on the frame as it is.
    case zbar
    /// zxing-cpp on the frame as it is, with everything it can try.
    case zxing

    /// - Parameter isLive: whether frames follow each other as a camera's do, rather than stand for themselves.
    func decoder(isLive: Bool) -> any SymbolDecoder & ~Copyable {
        switch self {
        case .pipeline: Scanner(effort: isLive ? .withinBudget : .untilFound)
        case .zbar: ZBarDecoder()
        case .zxing: ZXingDecoder(effort: .everything)
        }
    }
}
