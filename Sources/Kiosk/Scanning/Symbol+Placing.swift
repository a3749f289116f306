// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension Symbol {
    /// The symbol where it is in `frame`, of which a picture with 1/`scale` of its sides was searched.
    func scaled(by scale: Int, in frame: borrowing Frame) -> Symbol {
        placed(
            x: scale * sighting.centreX + scale / 2, y: scale * sighting.centreY + scale / 2,
            edge: scale * sighting.edge, in: frame)
    }

    /// The symbol where it is in `frame`, of which a picture of half its width was searched.
    func widened(in frame: borrowing Frame) -> Symbol {
        placed(x: 2 * sighting.centreX + 1, y: sighting.centreY, edge: 2 * sighting.edge, in: frame)
    }

    /// The symbol where it is in `frame`, of which an ``Enlargement`` was searched.
    func reduced(in frame: borrowing Frame) -> Symbol {
        placed(
            x: (sighting.centreX - Enlargement.margin) / Enlargement.factor,
            y: (sighting.centreY - Enlargement.margin) / Enlargement.factor, edge: sighting.edge / Enlargement.factor,
            in: frame)
    }

    /// The symbol where it is in `frame`, of which the part from `x`, `y` on was searched.
    func moved(x: Int, y: Int, in frame: borrowing Frame) -> Symbol {
        placed(x: sighting.centreX + x, y: sighting.centreY + y, edge: sighting.edge, in: frame)
    }

    private func placed(x: Int, y: Int, edge: Int, in frame: borrowing Frame) -> Symbol {
        var symbol = self
        symbol.sighting.frameWidth = frame.width
        symbol.sighting.frameHeight = frame.height
        symbol.sighting.centreX = min(max(x, 0), frame.width - 1)
        symbol.sighting.centreY = min(max(y, 0), frame.height - 1)
        symbol.sighting.edge = edge
        return symbol
    }
}
