// SPDX-License-Identifier: Apache-2.0

extension AffinePoint<G1> {
    /// The point of a 32-byte hash: from the hash modulo p upwards the first x that has a point, with the even root y.
    ///
    /// The time depends on the hash: it is the hash of an identity, which is public.
    init(mapping hash: borrowing Span<UInt8>) {
        (self, _) = Self.mappingWithIncrements(hash)
    }

    /// The point of a 32-byte hash, and how often x had to be increased.
    static func mappingWithIncrements(_ hash: borrowing Span<UInt8>) -> (point: Self, increments: Int) {
        var x = Fp(reducing: Limbs(bigEndian: hash))
        var increments = 0
        while true {
            // Whether there is a root is known sooner than the root.
            let square = x.squared * x + G1.b
            if square.isSquare, let y = square.evenSquareRoot { return (Self(x: x, y: y), increments) }
            x = x + .one
            increments += 1
        }
    }
}
