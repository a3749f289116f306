// SPDX-License-Identifier: Apache-2.0

enum Version {
    /// Semantic version; also what servers see in `X-MIRACL-CLIENT`.
    static let current = "0.2.0"
}
