// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues

/// One line of `scan --json`: `version`, `event` and the fields of the event.
enum ScanRecord: Encodable {
    /// The camera of the pictures; empty when the source is no camera.
    case running(camera: String)
    case trouble(ScannerTrouble)
    case skipped(ScannerTrouble)
    case passedOver(reason: String)
    case symbol(Symbol)
    case hint(ScannerAdvice)
    case statistics(ScannerStatistics)

    private enum CodingKeys: CodingKey {
        case version, event
    }

    func encode(to encoder: any Encoder) throws {
        let (event, fields) = content
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .version)
        try container.encode(event, forKey: .event)
        try fields.encode(to: encoder)
    }

    private var content: (event: String, fields: any Encodable) {
        switch self {
        case .running(let camera): ("running", RunningFields(camera: camera.isEmpty ? nil : camera))
        case .trouble(let trouble): ("trouble", TroubleFields(trouble))
        case .skipped(let trouble): ("skipped", SkippedFields(reason: trouble.reason))
        case .passedOver(let reason): ("passed_over", PassedOverFields(reason: reason))
        case .symbol(let symbol): ("symbol", SymbolFields(symbol))
        case .hint(let advice): ("hint", HintFields(advice))
        case .statistics(let statistics): ("stats", StatisticsFields(statistics))
        }
    }
}

private struct RunningFields: Encodable {
    let camera: String?
}

private struct TroubleFields: Encodable {
    let trouble: String
    let reason: String

    init(_ trouble: ScannerTrouble) {
        self.trouble =
            switch trouble.kind {
            case .missing: "missing"
            case .inUse: "in_use"
            case .silent: "silent"
            case .exchanged: "exchanged"
            case .broken: "broken"
            case .undecodable: "undecodable"
            }
        reason = trouble.reason
    }
}

private struct SkippedFields: Encodable {
    let reason: String
}

private struct PassedOverFields: Encodable {
    let reason: String
}

private struct SymbolFields: Encodable {
    let text: String?
    /// Left out of a symbol with a text.
    let base64: String?
    /// The number of codes that the text was joined from.
    let parts: Int
    /// Whether it follows the grammar of a login code.
    let isLogin: Bool
    /// The centre and the edge, in pixels of the frame.
    let x, y, edge: Int
    let brightness, sharpness: UInt8

    private enum CodingKeys: String, CodingKey {
        case text, base64, parts, x, y, edge, brightness, sharpness
        case isLogin = "is_login"
    }

    init(_ symbol: Symbol) {
        let payload = PrintableText(symbol)
        text = payload.text
        base64 = payload.text == nil ? payload.base64 : nil
        parts = symbol.parts
        isLogin = (try? LoginRequest(symbol)) != nil
        (x, y, edge) = (symbol.sighting.centreX, symbol.sighting.centreY, symbol.sighting.edge)
        (brightness, sharpness) = (symbol.sighting.brightness, symbol.sighting.sharpness)
    }
}

private struct HintFields: Encodable {
    /// Left out when nothing hinders reading any more.
    let hint: String?
    let brightness, sharpness: UInt8

    init(_ advice: ScannerAdvice) {
        hint = advice.hint.map { "\($0)" }
        (brightness, sharpness) = (advice.brightness, advice.sharpness)
    }
}

private struct StatisticsFields: Encodable {
    let frames, dropped, damaged, flawed, symbols, repeats: UInt64
    let decodingMs: Double

    private enum CodingKeys: String, CodingKey {
        case frames, dropped, damaged, flawed, symbols, repeats
        case decodingMs = "decoding_ms"
    }

    init(_ statistics: ScannerStatistics) {
        (frames, dropped) = (statistics.frames, statistics.dropped)
        (damaged, flawed) = (statistics.damaged, statistics.flawed)
        (symbols, repeats) = (statistics.symbols, statistics.repeats)
        decodingMs = statistics.decoding / .milliseconds(1)
    }
}
