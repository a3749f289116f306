// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension Symbol {
    /// The symbol where it is in `frame`, of which a picture at `scale` was searched.
    func placed(from scale: ScanPass.Scale, in frame: borrowing Frame) -> Symbol {
        switch scale {
        case .full: self
        case .half: scaled(by: 2, in: frame)
        case .third: scaled(by: 3, in: frame)
        case .quarter: scaled(by: 4, in: frame)
        case .narrow: placed(edge: 2 * sighting.edge, in: frame) { PixelPoint(x: 2 * $0.x + 1, y: $0.y) }
        case .enlarged: reduced(in: frame)
        }
    }

    /// The symbol where it is in `frame`, of which a picture with 1/`scale` of its sides was searched.
    private func scaled(by scale: Int, in frame: borrowing Frame) -> Symbol {
        placed(edge: scale * sighting.edge, in: frame) {
            PixelPoint(x: scale * $0.x + scale / 2, y: scale * $0.y + scale / 2)
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
