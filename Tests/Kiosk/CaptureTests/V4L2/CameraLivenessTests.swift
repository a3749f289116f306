// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc
import KioskPorts
import PictureTestKit
import Testing
@testable import Capture

/// A camera works when its frames can be decoded, not when frames arrive.
@Suite(.timeLimit(.minutes(10))) struct CameraLivenessTests {
    private func frame(_ bytes: [UInt8]) -> FakeVideoSystem.Deed { .frame(.init(bytes: bytes, sequence: 0)) }

    /// Delivers frames of nine bytes, each just before the camera would count as silent, until the camera is
    /// reopened.
    private func deliverNonsense(_ system: FakeVideoSystem, to camera: inout V4L2Camera, until count: UInt64) throws {
        for _ in 0..<200 where camera.counts.reopened < count {
            let damaged = camera.counts.damaged
            system.does(frame([UInt8](repeating: 1, count: 9)))
            for _ in 0..<20 where camera.counts.damaged == damaged && camera.counts.reopened < count {
                #expect(try camera.lendNext(within: .milliseconds(100)) { _ in } == .nothing)
            }
            system.clock.wait(.milliseconds(1900))
        }
        #expect(camera.counts.reopened == count)
    }

    @Test func framesThatCannotBeDecodedAreToldAndTheNextFormatIsTried() throws {
        let system = FakeVideoSystem(FakeCamera(formats: [("GREY", 32, 8), ("MJPG", 32, 8)]))
        var camera = try system.film()
        try deliverNonsense(system, to: &camera, until: 1)
        #expect(camera.trouble?.code == .undecodable)
        let isNamed = camera.trouble?.problem.hasPrefix("delivers frames of which none can be decoded (GREY 32 x 8: ")
        #expect(isNamed == true)
        #expect(system.journal == ["GREY 32x8", "MJPG 32x8"])
        // Frames of another format do not help until one is decoded.
        #expect(camera.damaged >= 3)
        system.does(frame(Picture(width: 32, height: 8, shade: 90).jpeg()))
        #expect(try camera.nextPixels().count == 256)
        #expect(camera.trouble == nil)
    }

    /// When no format works the first is tried again.
    @Test func everyFormatHasItsTurn() throws {
        let system = FakeVideoSystem(FakeCamera(formats: [("GREY", 32, 8), ("MJPG", 32, 8)]))
        var camera = try system.film()
        for count in 1...3 { try deliverNonsense(system, to: &camera, until: UInt64(count)) }
        #expect(system.journal == ["GREY 32x8", "MJPG 32x8", "GREY 32x8", "MJPG 32x8"])
        #expect(camera.trouble?.code == .undecodable)
    }

    @Test func aFrameNowAndThenIsEnough() throws {
        let system = FakeVideoSystem(FakeCamera(formats: [("GREY", 32, 4)]))
        var camera = try system.film()
        for _ in 0..<6 {
            for _ in 0..<3 {
                let damaged = camera.counts.damaged
                system.does(frame([1]))
                for _ in 0..<50 where camera.counts.damaged == damaged {
                    _ = try camera.lendNext(within: .milliseconds(100)) { _ in }
                }
                system.clock.wait(.seconds(1))
            }
            system.does(frame([UInt8](repeating: 5, count: 128)))
            #expect(try camera.nextPixels().first == 5)
        }
        #expect(camera.trouble == nil && camera.counts.reopened == 0 && camera.counts.damaged == 18)
    }

    /// Logitech's C270 and C910 send every frame like this.
    @Test func flawedFramesAreLentAndCounted() throws {
        let system = FakeVideoSystem(FakeCamera(formats: [("MJPG", 16, 8)]))
        var camera = try system.film()
        let jpeg = WholeJPEGTests.grey([0x3F] + WholeJPEGTests.spare + [0xFF, 0xD0, 0x3F, 0xFF, 0xD9])
        for count in 1...3 {
            system.does(frame(jpeg))
            #expect(try camera.nextPixels() == [UInt8](repeating: 128, count: 128))
            #expect(camera.flawed == UInt64(count) && camera.damaged == 0)
        }
    }

    /// The first field has rows of 1, 3, 5 and 7.
    @Test(
        arguments: [
            (V4L2_FIELD_NONE, [1, 9, 3, 9], [1, 9, 3, 9]), (V4L2_FIELD_INTERLACED, [1, 9, 3, 9], [1, 2, 3, 3]),
            (V4L2_FIELD_INTERLACED_BT, [1, 9, 3, 9], [1, 2, 3, 3]), (V4L2_FIELD_SEQ_TB, [1, 3, 9, 9], [1, 2, 3, 3]),
            (V4L2_FIELD_SEQ_BT, [1, 3, 9, 9], [1, 2, 3, 3]),
            (V4L2_FIELD_ALTERNATE, [1, 3, 5, 7], [1, 2, 3, 4, 5, 6, 7, 7]),
            (V4L2_FIELD_TOP, [1, 3, 5, 7], [1, 2, 3, 4, 5, 6, 7, 7]),
        ] as [(v4l2_field, [UInt8], [UInt8])])
    func ofFieldsOneIsMadeWhole(order: v4l2_field, rows: [UInt8], expected: [UInt8]) throws {
        for (code, padding) in [("GREY", 0), ("GREY", 6), ("YUYV", 2)] {
            let system = FakeVideoSystem(FakeCamera(formats: [(code, 32, 4)], padding: padding, fields: order.rawValue))
            var camera = try system.film()
            let bytes = rows.flatMap { row in
                (code == "GREY"
                    ? [UInt8](repeating: row, count: 32) : (0..<64).map { $0.isMultiple(of: 2) ? row : 200 })
                    + [UInt8](repeating: 99, count: padding)
            }
            system.does(frame(bytes))
            let pixels = try camera.nextPixels()
            #expect(pixels.count == expected.count * 32)
            #expect(stride(from: 0, to: pixels.count, by: 32).map { pixels[$0] } == expected, "\(code)")
        }
    }
}
