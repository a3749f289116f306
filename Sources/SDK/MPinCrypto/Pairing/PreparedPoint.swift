// SPDX-License-Identifier: Apache-2.0

/// A point of G2 that is paired often: the lines of its Miller loop, computed once and divided by their first
/// coefficients. The lines reveal the point, so those of a secret point are secret.
struct PreparedPoint: BitwiseCopyable {
    /// c1 / c0 and c3 / c0 of a line.
    struct MonicLine: BitwiseCopyable {
        var c1, c3: Fp2
    }

    /// A value for each line of the loop: tangents, chords and the last two.
    typealias PerLine<Value> = InlineArray<76, Value>

    let lines: PerLine<MonicLine>

    init(_ q: AffinePoint<G2>) {
        var running = RunningPoint(q)
        var all = PerLine<Line>(repeating: Line(c0: .one, c1: .zero, c3: .zero))
        var count = 0
        func append(_ line: Line) {
            all[count] = line
            count += 1
        }
        for bit in Pairing.loopBits {
            append(running.double())
            if Pairing.hasChord(bit) { append(running.addPoint()) }
        }
        let (first, second) = running.finish()
        append(first)
        append(second)
        precondition(count == all.count)
        lines = Self.divided(all)
    }

    /// Inverts all first coefficients with one inversion, that of their product.
    private static func divided(_ lines: PerLine<Line>) -> PerLine<MonicLine> {
        var products = PerLine<Fp2>(repeating: lines[0].c0)
        for index in 1..<lines.count { products[index] = products[index - 1] * lines[index].c0 }
        var inverse = products[lines.count - 1].inverse
        var result = PerLine<MonicLine>(repeating: MonicLine(c1: .zero, c3: .zero))
        for index in lines.indices.reversed() {
            let scale = index == 0 ? inverse : inverse * products[index - 1]
            inverse = inverse * lines[index].c0
            result[index] = MonicLine(c1: lines[index].c1 * scale, c3: lines[index].c3 * scale)
        }
        return result
    }

    /// The generator of G2, with which identities without a key are paired.
    static let generator = PreparedPoint(G2.generator)
}
