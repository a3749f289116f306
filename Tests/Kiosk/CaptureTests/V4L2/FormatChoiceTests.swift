// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Capture

/// The format that is chosen, for tables of what cameras of several kinds offer.
@Suite struct FormatChoiceTests {
    private func best(_ offered: [(String, Int, Int, Double)], _ settings: CameraSettings = CameraSettings()) -> String?
    {
        let formats = offered.map { CameraFormat(FakeCamera.code($0.0), width: $0.1, height: $0.2, rate: $0.3) }
        return FormatChoice.ranked(formats, for: settings).first?.description
    }

    @Test func lumaThatCostsLessWinsAtTheSameSizeAndRate() {
        #expect(best([("MJPG", 1280, 720, 30), ("YUYV", 1280, 720, 30)]) == "YUYV 1280 x 720 at 30.0")
        #expect(best([("YUYV", 1280, 720, 30), ("NV12", 1280, 720, 30)]) == "NV12 1280 x 720 at 30.0")
    }

    @Test func aWebcamThatIsSlowWithoutCompressionIsReadCompressed() {
        #expect(
            best([
                ("YUYV", 640, 480, 30), ("YUYV", 1280, 720, 10), ("MJPG", 640, 480, 30), ("MJPG", 1280, 720, 30),
                ("MJPG", 1920, 1080, 30),
            ]) == "MJPG 1280 x 720 at 30.0")
    }

    @Test func aLargerPictureIsBetterThanOneThatIsTooSmall() {
        #expect(
            best([("YUYV", 320, 240, 30), ("YUYV", 1920, 1080, 30), ("YUYV", 2592, 1944, 30)])
                == "YUYV 1920 x 1080 at 30.0")
    }

    @Test func whatTheLibraryMustConvertComesLast() {
        #expect(best([("RGB3", 1280, 720, 30), ("MJPG", 320, 240, 5)]) == "MJPG 320 x 240 at 5.0")
    }

    @Test func aWishIsKept() {
        let offered = [("YUYV", 640, 480, 30.0), ("YUYV", 640, 480, 15), ("MJPG", 1280, 720, 30)]
        #expect(best(offered, CameraSettings(format: PixelCode("YUYV"), rate: 15)) == "YUYV 640 x 480 at 15.0")
        #expect(best(offered, CameraSettings(size: .init(width: 640, height: 480))) == "YUYV 640 x 480 at 30.0")
        #expect(best(offered, CameraSettings(format: PixelCode("GREY"))) == nil)
    }
}
