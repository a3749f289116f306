// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import KioskTestKit
import Testing

/// The secrets of an interaction: nothing that programs leave behind, or that other users can read, contains one.
struct FlowSecrets {
    /// PINs have six digits in scripts. A number of four is in files by accident.
    private static let pinLength = 6
    /// In characters. Shorter texts are no tokens.
    private static let tokenLength = 16

    private var known: [String: SecretForms] = [:]

    init(of script: FlowScript) { add(script.lines.compactMap { Self.pin(of: $0.action) }) }

    mutating func add(_ secrets: [String]) {
        for secret in secrets where known[secret] == nil { known[secret] = SecretForms(secret) }
    }

    mutating func add(tokens: [String]) { add(tokens.filter { $0.utf8.count >= Self.tokenLength }) }

    /// The PIN that an action has; nil without one.
    static func pin(of action: FlowAction) -> String? {
        switch action {
        case .user(_, let pin), .elsewhere(_, let pin), .join(_, let pin): return pin.count == pinLength ? pin : nil
        case .press(let keys):
            let digits = keys.compactMap { key -> UInt8? in if case .digit(let digit) = key { digit } else { nil } }
            return digits.count == pinLength && keys.last == .enter ? digits.map { "\($0)" }.joined() : nil
        default: return nil
        }
    }

    func expectNone(in bytes: [UInt8], _ place: String) {
        for (secret, forms) in known { #expect(!forms.isIn(bytes), "\(secret) in \(place)") }
    }

    /// - Parameter marker: a text that is no secret, and that a file contains.
    func expectNone(inFilesOf scratch: Scratch, butFinding marker: String) {
        let marker = SecretForms(marker)
        var isFound = false
        for name in FileManager.default.subpaths(atPath: scratch.path) ?? [] {
            let path = scratch.url.appending(path: name).path(percentEncoded: false)
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            // A pipe would wait for its writer.
            guard attributes?[.type] as? FileAttributeType == .typeRegular,
                let content = FileManager.default.contents(atPath: path)
            else { continue }
            isFound = isFound || marker.isIn(Array(content))
            expectNone(in: Array(content), name)
        }
        #expect(isFound, "the search finds nothing")
    }
}
