// SPDX-License-Identifier: Apache-2.0

extension HTTPHeader {
    /// Whether the header can be sent as it is: a name of token characters and a value of visible ASCII, blanks within
    /// (RFC 9110, section 5). A line end would begin a header of the value's own choice.
    var isValid: Bool {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        return isName && (1...128).contains(name.utf8.count) && value.utf8.count <= 4096
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !value.hasPrefix(" ") && !value.hasSuffix(" ")
    }
}
