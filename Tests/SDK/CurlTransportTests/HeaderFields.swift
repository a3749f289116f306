// SPDX-License-Identifier: Apache-2.0

/// The header fields of a request as HTTP/2 packs them (HPACK, RFC 7541), for a server that told its client to keep no
/// table. A block that is something else ends the test: it would be a mistake of the test's own.
struct HeaderFields: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ block: ArraySlice<UInt8>) { rest = block }

    mutating func next() -> (name: String, value: String)? {
        while let first = rest.first {
            switch first {
            case 0x80...: return Self.entry(number(7))
            case 0x40...: return literal(6)
            // The size of the client's table.
            case 0x20...: _ = number(5)
            default: return literal(4)
            }
        }
        return nil
    }

    private mutating func literal(_ bits: Int) -> (String, String) {
        let index = number(bits)
        let name = index == 0 ? string() : Self.entry(index).name
        return (name, string())
    }

    /// Section 5.1: the low bits of the first byte, and where all are set more bytes of seven bits each.
    private mutating func number(_ bits: Int) -> Int {
        let most = 1 << bits - 1
        var number = Int(rest.removeFirst()) & most
        guard number == most else { return number }
        var shift = 0
        while true {
            let byte = Int(rest.removeFirst())
            number += (byte & 0x7f) << shift
            shift += 7
            if byte & 0x80 == 0 { return number }
        }
    }

    private mutating func string() -> String {
        let isPacked = rest.first.map { $0 & 0x80 != 0 } ?? false
        let length = number(7)
        let bytes = rest.prefix(length)
        rest = rest.dropFirst(bytes.count)
        return String(decoding: isPacked ? Self.unpacked(bytes) : Array(bytes), as: UTF8.self)
    }

    /// A string as it is, with its length in front.
    static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var (length, rest): ([UInt8], Int) = ([127], bytes.count - 127)
        while rest >= 128 {
            length.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return length + [UInt8(rest)] + bytes
    }

    // MARK: Appendix A and B

    private static func entry(_ index: Int) -> (name: String, value: String) { entries[index - 1] }

    private static let entries: [(name: String, value: String)] = """
        :authority :method|GET :method|POST :path|/ :path|/index.html :scheme|http :scheme|https :status|200 \
        :status|204 :status|206 :status|304 :status|400 :status|404 :status|500 accept-charset \
        accept-encoding|gzip,_deflate accept-language accept-ranges accept access-control-allow-origin age \
        allow authorization cache-control content-disposition content-encoding content-language content-length \
        content-location content-range content-type cookie date etag expect expires from host if-match \
        if-modified-since if-none-match if-range if-unmodified-since last-modified link location max-forwards \
        proxy-authenticate proxy-authorization range referer refresh retry-after server set-cookie \
        strict-transport-security transfer-encoding user-agent vary via www-authenticate
        """.split(separator: " ").map { entry in
            let parts = entry.split(separator: "|")
            return (String(parts[0]), parts.count > 1 ? String(parts[1].replacing("_", with: " ")) : "")
        }

    private static func unpacked(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var (text, code, length): ([UInt8], Int, Int) = ([], 0, 0)
        for byte in bytes {
            for bit in stride(from: 7, through: 0, by: -1) {
                (code, length) = (code << 1 | Int(byte >> bit & 1), length + 1)
                guard let symbol = symbols[Code(length: length, bits: code)] else { continue }
                text.append(symbol)
                (code, length) = (0, 0)
            }
        }
        return text
    }

    private struct Code: Hashable { let length, bits: Int }

    /// The code is canonical: codes of one length follow each other in the order of their symbols. So the lengths, of
    /// two digits for each symbol, say everything.
    private static let symbols: [Code: UInt8] = {
        let digits = Self.lengths.filter { $0.isNumber }.map { $0.wholeNumberValue ?? 0 }
        let sizes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        var (symbols, code): ([Code: UInt8], Int) = ([:], 0)
        for length in 1...30 {
            // Without the end of a string, which is no symbol of one.
            for symbol in 0..<256 where sizes[symbol] == length {
                symbols[Code(length: length, bits: code)] = UInt8(symbol)
                code += 1
            }
            code <<= 1
        }
        return symbols
    }()

    private static let lengths = """
        1323282828282828282430282830282828282828282830282828282828282828061010121306081110100811080606060505
        0506060606060606070815061210130607070707070707070707070707070707070707070707080708131913140615050605
        0605060606050707060606050607060505060707070707151114132820222020222222232223232323232423242422232423
        2323232122232223232422212022222323212322222421222323212122212322232320222222232222232626201922232225
        2626262727262425192126272726272421212626282727272024202122212123222225252424262326272626272727272728
        27272727272630
        """
}
