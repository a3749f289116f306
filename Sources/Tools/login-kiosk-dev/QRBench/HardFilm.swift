// SPDX-License-Identifier: Apache-2.0

import Capture
import Glibc
import KioskPorts
import SeededRandom

/// A code in a picture, at the size in which it is filmed.
struct FilmSubject {
    /// The longest edge of a filmed symbol, in pixels.
    private static let longestEdge = 180.0

    let picture: Picture
    let centre: (x: Double, y: Double)
    let edge: Double

    /// - Parameter sighting: where a symbol was read in the picture.
    init(_ picture: Picture, _ sighting: SymbolSighting) {
        let ratio = max(Double(sighting.edge) / FilmSubject.longestEdge, 1)
        self.picture = ratio > 1 ? FilmSubject.reduced(picture, by: ratio) : picture
        centre = (Double(sighting.centreX) / ratio, Double(sighting.centreY) / ratio)
        edge = Double(sighting.edge) / ratio
    }

    /// Each pixel is the mean of those that it covers.
    private static func reduced(_ picture: Picture, by ratio: Double) -> Picture {
        let (width, height) = (max(Int(Double(picture.width) / ratio), 1), max(Int(Double(picture.height) / ratio), 1))
        var result = Picture(width: width, height: height, shade: 0)
        for y in 0..<height {
            let rows = Int(Double(y) * ratio)..<max(Int(Double(y + 1) * ratio), Int(Double(y) * ratio) + 1)
            for x in 0..<width {
                let columns = Int(Double(x) * ratio)..<max(Int(Double(x + 1) * ratio), Int(Double(x) * ratio) + 1)
                var sum = 0
                for row in rows { for column in columns { sum += Int(picture[column, row]) } }
                result[x, y] = UInt8(sum / (rows.count * columns.count))
            }
        }
        return result
    }
}

/// A film of a code in an unsteady hand, made from one picture. The same seed gives the same film.
struct HardFilm {
    enum Kind: String, CaseIterable, Encodable {
        /// Blur, noise, little contrast.
        case mix
        /// A light that is too strong, and changes.
        case overexposed
        /// The reflection of a lamp, which moves.
        case glare
        /// A code around a bottle that turns, with some blur and noise.
        case curved
    }

    static let frameCount = 30
    static let strengths = 1...20
    private static let (width, height) = (400, 320)

    let subject: FilmSubject
    let kind: Kind
    let strength: Int
    let seed: UInt64
    private let phases: [Double]
    /// Nearly normal, with a deviation of 1.
    private let grain: [Float]

    init(_ subject: FilmSubject, _ kind: Kind, strength: Int, seed: UInt64) {
        (self.subject, self.kind, self.strength, self.seed) = (subject, kind, strength, seed)
        var random = SplitMix64(seed: seed)
        phases = (0..<8).map { _ in Double.random(in: 0..<(2 * Double.pi), using: &random) }
        grain = (0..<4096).map { _ in (0..<12).map { _ in Float.random(in: -0.5..<0.5, using: &random) }.reduce(0, +) }
    }

    func frame(_ number: Int) -> Picture {
        let strength = Float(strength)
        var pixels = projected(number)
        switch kind {
        case .mix:
            blur(&pixels, times: softness(Float(strength) / 2, number))
            for index in pixels.indices { pixels[index] = 60 + (pixels[index] - 60) / (1 + strength / 8) }
            add(noise: 3 + strength, to: &pixels, number)
        case .overexposed:
            blur(&pixels, times: 1)
            let light = (1 + strength / 5) * (1 + 0.25 * Float(swing(5, number, seconds: 0.7)))
            for index in pixels.indices { pixels[index] = (pixels[index] + 3 * strength) * light }
            add(noise: 4, to: &pixels, number)
        case .glare:
            blur(&pixels, times: 1)
            shine(on: &pixels, radius: (0.08 + 0.02 * Double(strength)) * subject.edge, number)
            add(noise: 5, to: &pixels, number)
        case .curved:
            blur(&pixels, times: softness(Float(strength) / 2, number))
            add(noise: 3 + strength, to: &pixels, number)
        }
        return Picture(
            width: HardFilm.width, height: HardFilm.height, pixels: pixels.map { UInt8(min(max($0, 0), 255)) })
    }

    /// A swing between -1 and 1 at 30 frames a second.
    private func swing(_ phase: Int, _ number: Int, seconds: Double) -> Double {
        sin(2 * Double.pi * Double(number) / (30 * seconds) + phases[phase])
    }

    /// A hand is steadier now and then.
    private func softness(_ mean: Float, _ number: Int) -> Int {
        max(Int((mean * (1 + 0.4 * Float(swing(4, number, seconds: 0.9)))).rounded()), 0)
    }

    private func projected(_ number: Int) -> [Float] {
        let (width, height) = (HardFilm.width, HardFilm.height)
        let source = subject.picture
        let angle = 0.04 * swing(0, number, seconds: 1.7)
        let size = 1 + 0.03 * swing(1, number, seconds: 1.3)
        let (across, down) = (0.05 * swing(2, number, seconds: 1.1), 0.05 * swing(3, number, seconds: 0.8))
        let (cosine, sine) = (cos(angle) * size, sin(angle) * size)
        // The symbol takes up 100 degrees of the bottle.
        let radius = subject.edge / 1.75
        var pixels = [Float](repeating: 40, count: width * height)
        for row in 0..<height {
            for column in 0..<width {
                var x = Double(column) - Double(width) / 2 + across * subject.edge
                let y = Double(row) - Double(height) / 2 + down * subject.edge
                if kind == .curved {
                    guard abs(x) < radius else { continue }
                    x = radius * asin(x / radius)
                }
                let u = min(max(subject.centre.x + cosine * x - sine * y, 0), Double(source.width) - 1.001)
                let v = min(max(subject.centre.y + sine * x + cosine * y, 0), Double(source.height) - 1.001)
                let (left, top) = (max(Int(u), 0), max(Int(v), 0))
                let (right, bottom) = (min(left + 1, source.width - 1), min(top + 1, source.height - 1))
                let (partX, partY) = (Float(u - Double(left)), Float(v - Double(top)))
                let upper = Float(source[left, top]) * (1 - partX) + Float(source[right, top]) * partX
                let lower = Float(source[left, bottom]) * (1 - partX) + Float(source[right, bottom]) * partX
                pixels[row * width + column] = upper * (1 - partY) + lower * partY
            }
        }
        return pixels
    }

    /// Half of each pixel and a quarter of each neighbour, in both directions.
    private func blur(_ pixels: inout [Float], times: Int) {
        let (width, height) = (HardFilm.width, HardFilm.height)
        for _ in 0..<times {
            for (count, length, step, next) in [(height, width, 1, width), (width, height, width, 1)] {
                for line in 0..<count {
                    var before = pixels[line * next]
                    for place in 0..<length {
                        let index = line * next + place * step
                        let own = pixels[index]
                        let after = place + 1 < length ? pixels[index + step] : own
                        pixels[index] = 0.25 * before + 0.5 * own + 0.25 * after
                        before = own
                    }
                }
            }
        }
    }

    private func shine(on pixels: inout [Float], radius: Double, _ number: Int) {
        let reach = 0.35 * subject.edge
        let middleX = Double(HardFilm.width) / 2 + reach * swing(5, number, seconds: 1)
        let middleY = Double(HardFilm.height) / 2 + reach * swing(6, number, seconds: 1.4)
        for index in pixels.indices {
            let x = Double(index % HardFilm.width) - middleX
            let y = Double(index / HardFilm.width) - middleY
            let share = 1.5 - (x * x + y * y) / (radius * radius)
            if share > 0 { pixels[index] += 400 * Float(share) }
        }
    }

    private func add(noise: Float, to pixels: inout [Float], _ number: Int) {
        var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37)
        for row in 0..<HardFilm.height {
            let start = Int(truncatingIfNeeded: random.next() & 4095)
            for column in 0..<HardFilm.width {
                // Saturated pixels have no noise.
                let value = pixels[row * HardFilm.width + column]
                if value < 255 {
                    pixels[row * HardFilm.width + column] = value + noise * grain[(start + column) & 4095]
                }
            }
        }
    }
}
