// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing

@testable import login_kiosk_scanner

@Suite("The picture for the person who aims") struct PreviewMakerTests {
    /// A frame of 640 by 480 stands in the middle of the picture, 240 by 180.
    private static func picture(
        _ maker: inout PreviewMaker, _ corners: [PixelPoint]?, at now: Duration
    ) throws -> PreviewPicture? {
        var sighting = SymbolSighting(
            captured: .zero, frameWidth: 640, frameHeight: 480, centreX: 0, centreY: 0, edge: 1, brightness: 0,
            sharpness: 0)
        sighting.corners = corners ?? []
        let symbol = try #require(Symbol(payload: SecretBytes(copying: [1]), parts: 1, sighting: sighting))
        let pixels = [UInt8](repeating: 90, count: 640 * 480)
        return unsafe pixels.withUnsafeBufferPointer { buffer -> PreviewPicture? in
            // Safe: the frame ends with the call.
            let frame = unsafe Frame(borrowing: buffer, width: 640, height: 480, stride: 640, captured: now)
            return maker.picture(of: frame, corners == nil ? nil : symbol, at: now)
        }
    }

    @Test func theOutlineIsWhereTheCodeIs() throws {
        var maker = PreviewMaker()
        maker.isWanted = true
        let corners = [(0, 0), (639, 0), (639, 479), (-50, 900)].map { PixelPoint(x: $0.0, y: $0.1) }
        let picture = try #require(try Self.picture(&maker, corners, at: .seconds(1)))
        #expect(picture.outline.map(\.x) == [40, 279, 279, 22])
        #expect(picture.outline.map(\.y) == [0, 0, 179, 179])
        // It stays while a frame or two do not show the code, and no longer.
        let soon = try #require(try Self.picture(&maker, nil, at: .milliseconds(1_300)))
        #expect(soon.outline == picture.outline)
        let later = try #require(try Self.picture(&maker, nil, at: .milliseconds(1_500)))
        #expect(later.outline.isEmpty)
    }

    /// The corners of several codes together, or none, are no outline.
    @Test func otherCornersAreNone() throws {
        var maker = PreviewMaker()
        maker.isWanted = true
        let many = (0..<8).map { PixelPoint(x: 10 * $0, y: 10) }
        #expect(try Self.picture(&maker, many, at: .seconds(1))?.outline == [])
        #expect(try Self.picture(&maker, [], at: .seconds(2))?.outline == [])
    }
}
