// SPDX-License-Identifier: Apache-2.0

extension AffinePoint<G1> {
    /// The point of a 32-byte hash: the first x with a point, counted up from the hash modulo p, and the even root y.
    ///
    /// The time depends on the hash, which is public: it is the hash of an identity.
    init(mapping hash: borrowing Span<UInt8>) {
        (self, _) = Self.mappingWithIncrements(hash)
    }

    /// The point of a 32-byte hash, and the number of times that x was increased.
    static func mappingWithIncrements(_ hash: borrowing Span<UInt8>) -> (point: Self, increments: Int) {
        var x = Fp(reducing: Limbs(bigEndian: hash))
        var increments = 0
        while true {
            // Testing for a root is faster than computing it.
            let square = x.squared * x + G1.b
            if square.isSquare, let y = square.evenSquareRoot { return (Self(x: x, y: y), increments) }
            x = x + .one
            increments += 1
        }
    }
}
