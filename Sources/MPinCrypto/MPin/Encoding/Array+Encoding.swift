// SPDX-License-Identifier: Apache-2.0

extension Array<UInt8> {
    /// The bytes of an encoding that is not secret.
    init<let size: Int>(_ encoding: InlineArray<size, UInt8>) {
        self = encoding.indices.map { encoding[$0] }
    }
}
