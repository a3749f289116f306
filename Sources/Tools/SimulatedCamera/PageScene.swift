// SPDX-License-Identifier: Apache-2.0

import Capture

/// A display that shows a login page: the QR picture on a white card, on a light grey page, in front of a darker wall.
struct PageScene: Sendable {
    /// The shade of everything beyond the page.
    static let wall: UInt8 = 90
    private static let paper: UInt8 = 225
    /// Larger pictures are halved until they fit, because no camera here resolves more.
    private static let maximumPicture = 768

    /// The page, with the picture in its middle.
    let page: Picture
    /// The picture's longer side in pixels of the page: the unit of the camera's geometry.
    let unit: Int

    init(showing picture: Picture) {
        var picture = picture
        while max(picture.width, picture.height) > PageScene.maximumPicture { picture = PageScene.halved(picture) }
        unit = max(picture.width, picture.height)
        let margin = unit / 10 + 1
        let border = unit / 3 + 1
        let (cardWidth, cardHeight) = (picture.width + 2 * margin, picture.height + 2 * margin)
        var page = Picture(width: cardWidth + 2 * border, height: cardHeight + 2 * border, shade: PageScene.paper)
        page.draw(Picture(width: cardWidth, height: cardHeight, shade: 255), x: border, y: border)
        page.draw(picture, x: border + margin, y: border + margin)
        self.page = page
    }

    private static func halved(_ picture: Picture) -> Picture {
        let (width, height) = (max(picture.width / 2, 1), max(picture.height / 2, 1))
        var half = Picture(width: width, height: height, shade: 0)
        for y in 0..<height {
            for x in 0..<width {
                let (right, below) = (min(2 * x + 1, picture.width - 1), min(2 * y + 1, picture.height - 1))
                let sum =
                    Int(picture[2 * x, 2 * y]) + Int(picture[right, 2 * y]) + Int(picture[2 * x, below])
                    + Int(picture[right, below])
                half[x, y] = UInt8((sum + 2) / 4)
            }
        }
        return half
    }
}
