// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension Symbol {
    /// The symbol where it is in `frame`, of which a picture at `scale` was searched.
    func placed(from scale: ScanPass.Scale, in frame: borrowing Frame) -> Symbol {
        guard let (across, down) = scale.divisors else { return reduced(in: frame) }
        return placed(edge: across * sighting.edge, in: frame) {
            PixelPoint(x: across * $0.x + across / 2, y: down * $0.y + down / 2)
        }
    }

    /// The symbol where it is in `frame`, of which an ``Enlargement`` was searched.
    private func reduced(in frame: borrowing Frame) -> Symbol {
        placed(edge: sighting.edge / Enlargement.factor, in: frame) {
            PixelPoint(
                x: ($0.x - Enlargement.margin) / Enlargement.factor, y: ($0.y - Enlargement.margin) / Enlargement.factor
            )
        }
    }

    /// The symbol at its place in `frame`, found in the part of the frame that begins at `x`, `y`.
    func moved(x: Int, y: Int, in frame: borrowing Frame) -> Symbol {
        placed(edge: sighting.edge, in: frame) { PixelPoint(x: $0.x + x, y: $0.y + y) }
    }

    private func placed(edge: Int, in frame: borrowing Frame, _ place: (PixelPoint) -> PixelPoint) -> Symbol {
        var symbol = self
        let centre = place(PixelPoint(x: sighting.centreX, y: sighting.centreY))
        symbol.sighting.frameWidth = frame.width
        symbol.sighting.frameHeight = frame.height
        symbol.sighting.centreX = min(max(centre.x, 0), frame.width - 1)
        symbol.sighting.centreY = min(max(centre.y, 0), frame.height - 1)
        symbol.sighting.edge = edge
        symbol.sighting.corners = sighting.corners.map(place)
        return symbol
    }
}
