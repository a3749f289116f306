// SPDX-License-Identifier: Apache-2.0

import Capture
import CurlTransport
import DisplayLink
import KioskMachine
import KioskPorts
import LoginValues
import Signage

/// The form of a setting's text: reads its value, and describes the fault of a text without one.
struct SettingFormat<Value: Sendable>: Sendable {
    var kind = ConfigurationKey.Kind.text
    let read: @Sendable (_ text: String) -> Value?
    /// - Returns: nil for a valid text.
    let fault: @Sendable (_ name: String, _ text: String) -> String?

    /// - Parameter expectation: the end of a sentence that begins with the setting's name.
    init(_ expectation: String, read: @escaping @Sendable (String) -> Value?) {
        self.init(read: read) { name, text in read(text) == nil ? "'\(name)' \(expectation)" : nil }
    }

    init(
        read: @escaping @Sendable (String) -> Value?, fault: @escaping @Sendable (String, String) -> String?
    ) {
        self.read = read
        self.fault = fault
    }

    static func words(_ words: [(String, Value)]) -> SettingFormat {
        let names = words.map(\.0)
        var format = SettingFormat("is one of \(names.joined(separator: ", "))") { text in
            words.first { $0.0 == text }?.1
        }
        format.kind = .choice(names)
        return format
    }

    static func choice(of _: Value.Type) -> SettingFormat
    where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
        words(Value.allCases.map { ($0.rawValue, $0) })
    }

    var optional: SettingFormat<Value?> {
        var format = SettingFormat<Value?>(read: { [read] in read($0).map(Optional.some) }, fault: fault)
        format.kind = kind
        return format
    }
}

extension SettingFormat where Value == Bool {
    static var flag: SettingFormat {
        var format = SettingFormat("is true or false") { ["true": true, "false": false][$0] }
        format.kind = .flag
        return format
    }
}

extension SettingFormat where Value == Int {
    /// - Parameter unit: the noun of the sentence about an invalid number.
    static func number(_ range: ClosedRange<Int>, _ unit: String = "a number") -> SettingFormat {
        let bounds = (range.lowerBound == 0 ? "up to " : "from \(range.lowerBound) to ") + "\(range.upperBound)"
        return SettingFormat("is \(unit) \(bounds)") { Int($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    static func one(of numbers: some Sequence<Int>) -> SettingFormat { words(numbers.map { ("\($0)", $0) }) }

    static var port: SettingFormat { number(0...65_535) }
}

extension SettingFormat where Value == Duration? {
    /// Minutes, or `never`: nil.
    static func minutes(_ range: ClosedRange<Int>) -> SettingFormat {
        SettingFormat("is a number of minutes from \(range.lowerBound) to \(range.upperBound), or never") { text in
            guard text != "never" else { return .some(nil) }
            guard let minutes = Int(text), range.contains(minutes) else { return nil }
            return Duration.seconds(60 * minutes)
        }
    }
}

extension SettingFormat where Value == String {
    static var text: SettingFormat { SettingFormat("is a text that is not empty") { $0 } }

    static func word(of words: String...) -> SettingFormat { .words(words.map { ($0, $0) }) }

    /// The grammar of ``SourceSpecification``. An invalid text stays, because the scanner names it.
    static var source: SettingFormat {
        SettingFormat(read: { $0 }) { _, text in
            do throws(FrameSourceError) { _ = try SourceSpecification(text) } catch {
                return "the source \(error.problem); \(error.remedy)"
            }
            return nil
        }
    }

    /// An option of `camera,OPTION...`, by the last part of the setting's name.
    static var cameraOption: SettingFormat {
        SettingFormat(read: { $0 }) { name, text in
            let option = "\(ConfigurationKey.parts(name).last ?? "")=\(text)"
            return (try? SourceSpecification("camera,\(option)")) == nil ? "a camera has no '\(option)'" : nil
        }
    }
}

extension SettingFormat {
    static func address() -> SettingFormat where Value == WebAddress {
        SettingFormat("is a web address") { try? WebAddress($0) }
    }

    static func language() -> SettingFormat where Value == Languages {
        SettingFormat("is one of \(Languages.standard.tags.joined(separator: ", "))") { Languages(first: $0) }
    }

    /// Nil for `none`.
    static func panel() -> SettingFormat where Value == DisplayProcess.Choice? {
        SettingFormat("is auto, none, or a panel: card0, HDMI-A-1 or card0-HDMI-A-1") { text in
            text == "none" ? .some(nil) : DisplayProcess.Choice(text).map(Optional.some)
        }
    }

    static func lights() -> SettingFormat where Value == SignalSettings {
        SettingFormat(read: { try? SignalSettings($0) }) { name, text in
            do throws(SignalSettingsError) { _ = try SignalSettings(text) } catch { return "'\(name)': \(error)" }
            return nil
        }
    }

    static func mailDomains(_ most: Int) -> SettingFormat where Value == [String] {
        SettingFormat("are up to \(most) domains of e-mail addresses such as example.com, separated by spaces") {
            text in
            let domains = text.split(separator: " ").map(String.init)
            let areValid = domains.allSatisfy { EmailAddress("a@\($0)")?.text == "a@\($0)" }
            return areValid && domains.count <= most ? domains : nil
        }
    }

    static func networks() -> SettingFormat where Value == [AddressNetwork] {
        SettingFormat("are networks such as 100.64.0.0/10 or 64:ff9b:1::/48, separated by blanks") { text in
            let parts = text.split { $0 == " " || $0 == "," }.map(String.init)
            let networks = parts.compactMap(AddressNetwork.init)
            return networks.count == parts.count ? networks : nil
        }
    }

    static func keys(_ counts: ClosedRange<Int>) -> SettingFormat where Value == ResetKeys {
        let kinds = "digits, enter, clear, back, menu, separated by spaces"
        return SettingFormat(
            "are \(counts.lowerBound) to \(counts.upperBound) keys, three different ones at least: \(kinds)"
        ) { ResetKeys($0) }
    }
}
