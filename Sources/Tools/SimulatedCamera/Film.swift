// SPDX-License-Identifier: Apache-2.0

import Capture
import Glibc

/// Films a scene with a slightly unsteady hand, a slightly blurred lens and a noisy sensor. The same seed and scene
/// always give the same frame `n`.
struct Film {
    private let settings: FilmSettings
    private let phases: [Double]
    private let grain: [Int]
    private var blurred: [UInt8] = []

    init(_ settings: FilmSettings) {
        self.settings = settings
        var random = FilmNumbers(state: settings.seed)
        phases = (0..<8).map { _ in Double.random(in: 0..<(2 * Double.pi), using: &random) }
        // The sum of twelve uniform numbers is nearly normal. A deviation of 4 grey levels is a cheap camera indoors.
        grain = (0..<4096).map { _ in
            Int(((0..<12).map { _ in Double.random(in: -0.5..<0.5, using: &random) }.reduce(0, +) * 4).rounded())
        }
    }

    /// - Parameter pixels: receives `width * height` bytes.
    mutating func shoot(_ scene: PageScene?, frame: Int, into pixels: inout [UInt8]) {
        let count = settings.width * settings.height
        if pixels.count != count { pixels = [UInt8](repeating: 0, count: count) }
        if let scene { project(scene, pose: pose(frame), into: &pixels) } else { paint(PageScene.wall, on: &pixels) }
        if swing(6, frame, seconds: 3.1) > -0.3 { blur(&pixels) }
        expose(&pixels, frame: frame)
    }

    private func pose(_ frame: Int) -> CameraPose {
        CameraPose(
            size: 0.62 + 0.14 * swing(0, frame, seconds: 6), yaw: 0.22 * swing(1, frame, seconds: 4.3),
            pitch: 0.18 * swing(2, frame, seconds: 5.1), roll: 0.15 * swing(3, frame, seconds: 7.7),
            across: 0.07 * swing(4, frame, seconds: 2.9), down: 0.05 * swing(5, frame, seconds: 3.7))
    }

    /// A slow swing between -1 and 1.
    private func swing(_ phase: Int, _ frame: Int, seconds: Double) -> Double {
        sin(2 * Double.pi * Double(frame) / (Double(settings.rate) * seconds) + phases[phase])
    }

    private func paint(_ shade: UInt8, on pixels: inout [UInt8]) {
        for index in pixels.indices { pixels[index] = shade }
    }

    private func project(_ scene: PageScene, pose: CameraPose, into pixels: inout [UInt8]) {
        let back = pose.backProjection(width: settings.width, height: settings.height)
        let page = scene.page
        let (pageWidth, pageHeight, unit) = (page.width, page.height, Double(scene.unit))
        let (centreX, centreY) = (Double(pageWidth) / 2, Double(pageHeight) / 2)
        let source = page.pixels.span
        var target = pixels.mutableSpan
        var index = 0
        var y = 0
        while y < settings.height {
            var x = 0
            while x < settings.width {
                let (fx, fy) = (Double(x) + 0.5, Double(y) + 0.5)
                let depth = back[6] * fx + back[7] * fy + back[8]
                let u = (back[0] * fx + back[1] * fy + back[2]) / depth * unit + centreX - 0.5
                let v = (back[3] * fx + back[4] * fy + back[5]) / depth * unit + centreY - 0.5
                if u >= 0 && v >= 0 && u < Double(pageWidth - 1) && v < Double(pageHeight - 1) {
                    // Interpolate between four pixels, with weights of 256.
                    let (left, top) = (Int(u), Int(v))
                    let (partX, partY) = (Int((u - Double(left)) * 256), Int((v - Double(top)) * 256))
                    let at = top * pageWidth + left
                    let upper = Int(source[at]) * (256 - partX) + Int(source[at + 1]) * partX
                    let lower = Int(source[at + pageWidth]) * (256 - partX) + Int(source[at + pageWidth + 1]) * partX
                    target[index] = UInt8(truncatingIfNeeded: (upper * (256 - partY) + lower * partY) >> 16)
                } else {
                    target[index] = PageScene.wall
                }
                index += 1
                x += 1
            }
            y += 1
        }
    }

    /// Mixes half of each pixel with a quarter of each neighbour, horizontally and vertically.
    private mutating func blur(_ pixels: inout [UInt8]) {
        let (width, height) = (settings.width, settings.height)
        if blurred.count != pixels.count { blurred = pixels }
        var between = blurred.mutableSpan
        var target = pixels.mutableSpan
        var index = 0
        while index < width * height {
            let x = index % width
            let (before, after) = (x > 0 ? index - 1 : index, x < width - 1 ? index + 1 : index)
            between[index] = UInt8(
                truncatingIfNeeded: (Int(target[before]) + 2 * Int(target[index]) + Int(target[after]) + 2) >> 2)
            index += 1
        }
        index = 0
        while index < width * height {
            let (before, after) = (
                max(index - width, index % width), min(index + width, (height - 1) * width + index % width)
            )
            target[index] = UInt8(
                truncatingIfNeeded: (Int(between[before]) + 2 * Int(between[index]) + Int(between[after]) + 2) >> 2)
            index += 1
        }
    }

    /// Varies the exposure slowly, and adds different grain to each frame.
    private func expose(_ pixels: inout [UInt8], frame: Int) {
        let gain = 0.9 + 0.12 * swing(7, frame, seconds: 8.3)
        let curve = (0..<256).map { 12 + Int(Double($0) * gain * 0.92) }
        var random = FilmNumbers(state: settings.seed &+ UInt64(frame) &* 0x9E37)
        let table = curve.span
        let noise = grain.span
        var target = pixels.mutableSpan
        var index = 0
        for _ in 0..<settings.height {
            var at = Int(truncatingIfNeeded: random.next() & 4095)
            for _ in 0..<settings.width {
                target[index] = UInt8(clamping: table[Int(target[index])] + noise[at])
                at = (at + 1) & 4095
                index += 1
            }
        }
    }
}

/// Random numbers from a seed, for grain and movement: a linear congruential generator with Knuth's constants.
private struct FilmNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // The high bits are more random than the low ones.
        return state ^ (state >> 32)
    }
}

/// The settings of a simulated camera's film.
public struct FilmSettings: Sendable, Equatable {
    /// In pixels.
    public var width: Int
    public var height: Int
    /// Frames per second.
    public var rate: Int
    /// The seed of the hand's motion and the sensor's noise. The same seed gives the same film.
    public var seed: UInt64

    public init(width: Int = 640, height: Int = 480, rate: Int = 10, seed: UInt64 = 1) {
        precondition((16...4096).contains(width) && (16...4096).contains(height) && (1...120).contains(rate))
        self.width = width
        self.height = height
        self.rate = rate
        self.seed = seed
    }
}
