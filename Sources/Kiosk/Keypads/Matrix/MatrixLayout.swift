// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The positions of the keys in a matrix.
///
/// The text is a picture of the pad, a sign for each key, rows separated by `/`:
///
/// | Sign | Key |
/// |---|---|
/// | 0...9 | digit |
/// | `#`, `D` | enter |
/// | `*`, `B` | back; held for a second, clear |
/// | `C` | clear |
/// | `A` | menu |
/// | `.` | none |
public struct MatrixLayout: Hashable, Sendable {
    public let size: MatrixSize
    private let signs: [[Character]]

    /// - Returns: nil when rows differ in length, a sign is unknown, or the size is out of range.
    public init?(_ text: String) {
        let rows = text.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
        guard let columns = rows.first?.count, rows.allSatisfy({ $0.count == columns }),
            let size = MatrixSize(rows: rows.count, columns: columns),
            rows.joined().allSatisfy({ $0 == "." || MatrixLayout.key(of: $0) != nil })
        else { return nil }
        self.size = size
        signs = rows
    }

    /// The usual pads of 12 and 16 keys; nil for any other size.
    public init?(usualFor size: MatrixSize) {
        switch (size.rows, size.columns) {
        case (4, 3): self.init("123/456/789/*0#")
        case (4, 4): self.init("123A/456B/789C/*0#D")
        default: return nil
        }
    }

    /// - Returns: nil for a position without a key.
    public func key(at position: MatrixPosition) -> Key? {
        size.contains(position) ? MatrixLayout.key(of: signs[position.row][position.column]) : nil
    }

    /// The signs of its keys. Without a CLEAR key, holding BACK is CLEAR.
    public var keyNames: KeyNames {
        var names: [Key: KeyNames.Name] = [:]
        for sign in signs.joined() {
            guard let key = MatrixLayout.key(of: sign), names[key] == nil || sign == "#" || sign == "*" else {
                continue
            }
            names[key] = KeyNames.Name(String(sign))
        }
        if names[.clear] == nil, let back = names[.back] { names[.clear] = KeyNames.Name(back.text, isHeld: true) }
        return KeyNames(names)
    }

    private static func key(of sign: Character) -> Key? {
        switch sign {
        case "0"..."9": sign.wholeNumberValue.map { .digit(UInt8($0)) }
        case "#", "D": .enter
        case "*", "B": .back
        case "C": .clear
        case "A": .menu
        default: nil
        }
    }
}

extension MatrixLayout: CustomStringConvertible {
    public var description: String { signs.map { String($0) }.joined(separator: "/") }
}

extension MatrixLayout {
    /// The keypad's report of an event of its matrix. It contains no key's position: a person may be typing a PIN.
    ///
    /// - Returns: nil for an event that concerns only the matrix.
    public func report(of event: MatrixEvent) -> KeypadReport? {
        switch event {
        case .pressed(let position): key(at: position).map { .pressed(KeyPress($0)) }
        case .held(let position): key(at: position) == .back ? .pressed(KeyPress(.clear)) : nil
        case .refused: .keysLost("several keys were pressed at once")
        case .stuck:
            .trouble("a key has been down for \(MatrixTiming.stuck.components.seconds) s and is not heard any more")
        case .freed: .trouble("the key that was stuck is released")
        case .released: nil
        }
    }
}
