// SPDX-License-Identifier: Apache-2.0

/// One line of the trust list: a service, and its delegation to the other hosts that its replies may name:
/// `shop.example.com -> login.example.com dta.example.com:8443`.
///
/// Pins may follow each host. A server at the host must then have one of these keys: `login.example.com
/// pin-sha256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=`.
public struct TrustLine: Hashable, Sendable {
    /// Introduces the delegation.
    private static let sign = "->"

    /// The hosts that codes may name.
    public let entry: TrustEntry
    /// The further hosts that replies of ``entry`` may name, each once. QR codes may not name them.
    public private(set) var targets: [TrustEntry] = []
    /// The keys of this line's hosts, each key once; hosts without keys are not here. At most
    /// ``PublicKeyPin/maximumCount`` for a host.
    public private(set) var pins: [TrustEntry: [PublicKeyPin]] = [:]

    /// Makes a line without keys.
    ///
    /// - Parameters:
    ///   - entry: the service's hosts, which codes may name.
    ///   - targets: further hosts that the service's replies may name; by default none.
    public init(_ entry: TrustEntry, targets: [TrustEntry] = []) {
        self.entry = entry
        for target in targets { add(target) }
    }

    /// - Parameter text: words separated by blanks; case matters in base64 only.
    /// - Throws: the fault in the line.
    public init(_ text: some StringProtocol) throws(TrustEntryError) {
        // The sign needs no blanks around it: no host ends with a hyphen, and base64 has none.
        let sides = Substring(text).split(separator: TrustLine.sign, omittingEmptySubsequences: false)
        let words = Array(
            sides.map { $0.split { $0 == " " || $0 == "\t" } }.joined(separator: [TrustLine.sign[...]]))
        let delegation = words.firstIndex { $0 == TrustLine.sign }
        let service = words[..<(delegation ?? words.endIndex)]
        guard let first = service.first else { throw .notAHost }
        guard !PublicKeyPin.isMeant(by: first) else { throw .pinWithoutHost }
        entry = try TrustEntry(first)
        for word in service.dropFirst() {
            guard PublicKeyPin.isMeant(by: word) else {
                throw TrustLine.looksLikePin(word) ? .pin(.notAPin) : .notAHost
            }
            try add(try TrustLine.pin(word), to: entry)
        }
        guard let delegation else { return }
        let named = words[(delegation + 1)...]
        guard !named.isEmpty, !named.contains(TrustLine.sign[...]) else { throw .delegationWithoutHost }
        var target: TrustEntry?
        for word in named {
            if PublicKeyPin.isMeant(by: word) {
                guard let target else { throw .pinWithoutHost }
                try add(try TrustLine.pin(word), to: target)
            } else {
                let next = try TrustLine.target(word)
                add(next)
                target = next
            }
        }
    }

    /// Adds the targets and keys of another line of the same service.
    ///
    /// - Throws: when a host would have too many keys.
    public mutating func add(_ other: TrustLine) throws(TrustEntryError) {
        for target in other.targets { add(target) }
        for (host, pins) in other.pins {
            for pin in pins { try add(pin, to: host) }
        }
    }

    /// Removes the keys that the other line names, and the delegated hosts that it names without keys.
    public mutating func remove(_ other: TrustLine) {
        for (host, gone) in other.pins { setPins((pins[host] ?? []).filter { !gone.contains($0) }, of: host) }
        for target in other.targets where other.pins[target] == nil {
            targets.removeAll { $0 == target }
            if target != entry { pins[target] = nil }
        }
    }

    /// Whether this line has all targets and keys of the other one.
    public func contains(_ other: TrustLine) -> Bool {
        other.targets.allSatisfy { targets.contains($0) }
            && other.pins.allSatisfy { host, pins in pins.allSatisfy { self.pins[host]?.contains($0) == true } }
    }

    /// Whether the line has neither targets nor keys.
    public var isBare: Bool { targets.isEmpty && pins.isEmpty }

    private mutating func add(_ target: TrustEntry) {
        if !targets.contains(target) { targets.append(target) }
    }

    private mutating func add(_ pin: PublicKeyPin, to host: TrustEntry) throws(TrustEntryError) {
        let known = pins[host] ?? []
        guard !known.contains(pin) else { return }
        guard known.count < PublicKeyPin.maximumCount else { throw .tooManyPins }
        setPins(known + [pin], of: host)
    }

    private mutating func setPins(_ list: [PublicKeyPin], of host: TrustEntry) {
        pins[host] = list.isEmpty ? nil : list
    }

    private static func pin(_ word: Substring) throws(TrustEntryError) -> PublicKeyPin {
        do throws(PublicKeyPinError) { return try PublicKeyPin(word) } catch { throw .pin(error) }
    }

    private static func target(_ word: Substring) throws(TrustEntryError) -> TrustEntry {
        do throws(TrustEntryError) { return try TrustEntry(word) } catch {
            throw looksLikePin(word) ? .pin(.notAPin) : error
        }
    }

    /// Whether a word is another digest, or another notation of a pin. Such a word is not a host.
    private static func looksLikePin(_ word: Substring) -> Bool {
        ["pin-", "sha256", "sha1"].contains { word.lowercased().hasPrefix($0) }
            && word.contains { $0 == ":" || $0 == "/" || $0 == "=" }
    }
}

extension TrustLine: CustomStringConvertible {
    public var description: String {
        var text = entry.description
        for pin in pins[entry] ?? [] { text += " \(pin)" }
        guard !targets.isEmpty else { return text }
        text += " \(TrustLine.sign)"
        for target in targets {
            text += " \(target)"
            // The pins of the service itself stand before the sign.
            for pin in target == entry ? [] : pins[target] ?? [] { text += " \(pin)" }
        }
        return text
    }
}
