// SPDX-License-Identifier: Apache-2.0

/// A point of G1 and one of G2 on their way through the Miller loop, which multiplies its value by the lines
/// in this order.
protocol MillerPair {
    mutating func multiplyTangent(into f: inout Fp12)
    mutating func multiplyChord(into f: inout Fp12)
    mutating func multiplyLastLines(into f: inout Fp12)
}

/// An empty argument, for products of fewer pairs.
struct NoPair: MillerPair {
    func multiplyTangent(into f: inout Fp12) {}
    func multiplyChord(into f: inout Fp12) {}
    func multiplyLastLines(into f: inout Fp12) {}
}

/// A pair, or none.
extension Optional: MillerPair where Wrapped: MillerPair {
    mutating func multiplyTangent(into f: inout Fp12) { self?.multiplyTangent(into: &f) }
    mutating func multiplyChord(into f: inout Fp12) { self?.multiplyChord(into: &f) }
    mutating func multiplyLastLines(into f: inout Fp12) { self?.multiplyLastLines(into: &f) }
}

/// Any number of pairs. Their memory is not wiped, so they must not be secret.
struct MillerPairs<Pair: MillerPair>: MillerPair {
    private var pairs: [Pair] = []

    mutating func append(_ pair: Pair) { pairs.append(pair) }

    mutating func multiplyTangent(into f: inout Fp12) {
        for index in pairs.indices { pairs[index].multiplyTangent(into: &f) }
    }

    mutating func multiplyChord(into f: inout Fp12) {
        for index in pairs.indices { pairs[index].multiplyChord(into: &f) }
    }

    mutating func multiplyLastLines(into f: inout Fp12) {
        for index in pairs.indices { pairs[index].multiplyLastLines(into: &f) }
    }
}

/// A pair whose lines are computed on the way.
struct PlainPair: MillerPair {
    private let p: AffinePoint<G1>
    private var running: RunningPoint

    init(_ p: AffinePoint<G1>, _ q: AffinePoint<G2>) {
        self.p = p
        running = RunningPoint(q)
    }

    mutating func multiplyTangent(into f: inout Fp12) { f = f.times(running.double(), at: p) }

    mutating func multiplyChord(into f: inout Fp12) { f = f.times(running.addPoint(), at: p) }

    mutating func multiplyLastLines(into f: inout Fp12) {
        let (first, second) = running.finish()
        f = f.times(first, at: p).times(second, at: p)
    }
}
