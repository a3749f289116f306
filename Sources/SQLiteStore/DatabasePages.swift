// SPDX-License-Identifier: Apache-2.0

/// The rows in the pages of a database file, read without SQLite, for a file that SQLite refuses.
///
/// Every page is taken for a leaf of a table (SQLite file format, section 1.6), also one that is none: what comes out
/// may be anything, and only what opens with the store's key counts. So nothing but a row's own pages has to be sound.
struct DatabasePages {
    enum Value: Equatable {
        case integer(Int)
        case bytes([UInt8])
        /// NULL, a floating-point number or a text, of which the store's tables have none but the row's own number.
        case other
    }

    /// SQLite's own choice, which the store never changes.
    static let pageSize = 4096
    /// No row of the store is longer: a record, its owner's names, and the row's header.
    static let longestRow = 64 * 1024
    private static let mostColumns = 8

    let bytes: [UInt8]

    /// All rows that have the form of one, with `id` where it is the row's number.
    func forEachRow(_ body: (_ id: Int, _ columns: [Value]) -> Void) {
        for page in 0..<bytes.count / DatabasePages.pageSize {
            let start = page * DatabasePages.pageSize
            // The first page begins with the file's header.
            let header = start + (page == 0 ? 100 : 0)
            let cells = min(word(header + 3), DatabasePages.pageSize / 2)
            for cell in 0..<cells {
                let pointer = header + 8 + 2 * cell
                guard pointer + 2 <= start + DatabasePages.pageSize else { break }
                let place = start + word(pointer)
                guard (header + 8..<start + DatabasePages.pageSize).contains(place) else { continue }
                if let row = row(at: place, end: start + DatabasePages.pageSize) { body(row.id, row.columns) }
            }
        }
    }

    private func word(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }

    private func row(at place: Int, end: Int) -> (id: Int, columns: [Value])? {
        var place = place
        guard let length = DatabasePages.number(bytes, &place, end), (2...DatabasePages.longestRow).contains(length),
            let id = DatabasePages.number(bytes, &place, end),
            let payload = payload(length, at: place, end: end)
        else { return nil }
        return DatabasePages.columns(of: payload).map { (id, $0) }
    }

    /// - Parameter length: of the whole, of which the beginning lies in the cell and the rest in a chain of pages.
    private func payload(_ length: Int, at place: Int, end: Int) -> [UInt8]? {
        let usable = DatabasePages.pageSize
        let (most, least) = (usable - 35, (usable - 12) * 32 / 255 - 23)
        let inCell: Int
        if length <= most {
            inCell = length
        } else {
            let fitting = least + (length - least) % (usable - 4)
            inCell = fitting <= most ? fitting : least
        }
        guard place + inCell + (inCell < length ? 4 : 0) <= end else { return nil }
        var payload = Array(bytes[place..<place + inCell])
        var link = place + inCell
        // Each turn adds bytes, so a chain that is a ring ends, too.
        while payload.count < length {
            let page = word(link) << 16 | word(link + 2)
            let start = (page - 1) * usable
            guard page > 0, start + usable <= bytes.count else { return nil }
            payload += bytes[start + 4..<start + 4 + min(usable - 4, length - payload.count)]
            link = start
        }
        return payload
    }

    private static func columns(of payload: [UInt8]) -> [Value]? {
        var place = 0
        guard let end = number(payload, &place, payload.count), end <= payload.count else { return nil }
        var types: [Int] = []
        while place < end {
            guard types.count < mostColumns, let type = number(payload, &place, end), type >= 0 else { return nil }
            types.append(type)
        }
        var values: [Value] = []
        place = end
        for type in types {
            let length =
                switch type {
                case 0...4: type
                case 5: 6
                case 6, 7: 8
                case 8, 9: 0
                default: (type - 12) / 2
                }
            guard length >= 0, place + length <= payload.count else { return nil }
            let field = payload[place..<place + length]
            place += length
            switch type {
            case 1...6:
                values.append(.integer(field.reduce(field.first ?? 0 > 0x7F ? -1 : 0) { $0 << 8 | Int($1) }))
            case 8, 9: values.append(.integer(type - 8))
            case 12... where type.isMultiple(of: 2): values.append(.bytes(Array(field)))
            default: values.append(.other)
            }
        }
        return values
    }

    /// A number of one to nine bytes, seven bits in each of the first eight.
    private static func number(_ bytes: [UInt8], _ place: inout Int, _ end: Int) -> Int? {
        var value: UInt64 = 0
        for turn in 0..<9 {
            guard place < end else { return nil }
            let byte = bytes[place]
            place += 1
            if turn == 8 { return Int(truncatingIfNeeded: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        return Int(truncatingIfNeeded: value)
    }
}
