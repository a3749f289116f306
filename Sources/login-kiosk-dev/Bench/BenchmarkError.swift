// SPDX-License-Identifier: Apache-2.0

/// Why there is no figure.
enum BenchmarkError: Error, CustomStringConvertible {
    /// OpenSSL did not do its part.
    case openSSL(String)
    /// What was timed gave a wrong result: its time would mean nothing.
    case wrongResult(String)

    /// The program that is to be measured does not do its part.
    case program(String)

    var description: String {
        switch self {
        case .openSSL(let what): "OpenSSL as reference: \(what)"
        case .program(let what): what
        case .wrongResult(let name): "\(name): the result is wrong, so its time means nothing"
        }
    }
}
