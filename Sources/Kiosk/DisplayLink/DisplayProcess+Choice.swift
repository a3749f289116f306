// SPDX-License-Identifier: Apache-2.0

extension DisplayProcess {
    /// The panel that the operator names, or the first that is connected.
    public enum Choice: Sendable, Hashable, CustomStringConvertible {
        case automatic
        case named(String)

        public var description: String { if case .named(let name) = self { name } else { "auto" } }

        /// - Parameter text: `auto`, a card such as `card0`, a connector such as `HDMI-A-1`, or both: `card0-HDMI-A-1`.
        /// - Returns: nil for anything else.
        public init?(_ text: String) {
            let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            let isCard = text.hasPrefix("card") && UInt8(text.dropFirst(4)) != nil
            let isConnector = isName && text.dropFirst().contains("-") && text.last?.isNumber == true
            guard text == "auto" || isCard || isConnector else { return nil }
            self = text == "auto" ? .automatic : .named(text)
        }

        /// The connector to draw at, of those with a panel.
        public func connector(among connected: [String]) -> String? {
            switch self {
            case .automatic: connected.first
            case .named(let name):
                connected.first { connector in
                    connector == name || connector.hasPrefix("\(name)-")
                        || connector.drop { $0 != "-" }.dropFirst() == name
                }
            }
        }
    }
}
