// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues

/// One line of `scan --json`: `version`, `event` and the fields of the event.
enum ScanRecord: Encodable {
    /// The camera of the pictures; empty when the source is not a camera.
    case running(camera: String)
    case trouble(ScannerTrouble)
    case skipped(ScannerTrouble)
    case passedOver(reason: String)
    case symbol(Symbol)
    case hint(ScannerAdvice)
    case statistics(ScannerStatistics)

    private enum Field: String, CodingKey {
        case version, event, camera, trouble, reason, text, base64, parts, x, y, edge, hint, brightness, sharpness,
            frames, dropped, damaged, flawed, symbols, repeats
        case isLogin = "is_login"
        case decodingMs = "decoding_ms"
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(1, forKey: .version)
        switch self {
        case .running(let camera):
            try fields.encode("running", forKey: .event)
            if !camera.isEmpty { try fields.encode(camera, forKey: .camera) }
        case .trouble(let trouble):
            try fields.encode("trouble", forKey: .event)
            try fields.encode(ScanRecord.name(of: trouble.kind), forKey: .trouble)
            try fields.encode(trouble.reason, forKey: .reason)
        case .skipped(let trouble):
            try fields.encode("skipped", forKey: .event)
            try fields.encode(trouble.reason, forKey: .reason)
        case .passedOver(let reason):
            try fields.encode("passed_over", forKey: .event)
            try fields.encode(reason, forKey: .reason)
        case .symbol(let symbol): try ScanRecord.encode(symbol, to: &fields)
        case .hint(let advice):
            try fields.encode("hint", forKey: .event)
            // Left out when nothing hinders reading any more.
            try fields.encodeIfPresent(advice.hint.map { "\($0)" }, forKey: .hint)
            try fields.encode(advice.brightness, forKey: .brightness)
            try fields.encode(advice.sharpness, forKey: .sharpness)
        case .statistics(let statistics): try ScanRecord.encode(statistics, to: &fields)
        }
    }

    private static func name(of kind: ScannerTrouble.Kind) -> String {
        switch kind {
        case .missing: "missing"
        case .inUse: "in_use"
        case .silent: "silent"
        case .exchanged: "exchanged"
        case .broken: "broken"
        case .undecodable: "undecodable"
        }
    }

    private static func encode(_ symbol: Symbol, to fields: inout KeyedEncodingContainer<Field>) throws {
        let (payload, sighting) = (PrintableText(symbol), symbol.sighting)
        try fields.encode("symbol", forKey: .event)
        try fields.encodeIfPresent(payload.text, forKey: .text)
        if payload.text == nil { try fields.encode(payload.base64, forKey: .base64) }
        // The number of codes that the text was joined from.
        try fields.encode(symbol.parts, forKey: .parts)
        // Whether it follows the grammar of a login code.
        try fields.encode((try? LoginRequest(symbol)) != nil, forKey: .isLogin)
        // The centre and the edge, in pixels of the frame.
        try fields.encode(sighting.centreX, forKey: .x)
        try fields.encode(sighting.centreY, forKey: .y)
        try fields.encode(sighting.edge, forKey: .edge)
        try fields.encode(sighting.brightness, forKey: .brightness)
        try fields.encode(sighting.sharpness, forKey: .sharpness)
    }

    private static func encode(_ statistics: ScannerStatistics, to fields: inout KeyedEncodingContainer<Field>) throws {
        try fields.encode("stats", forKey: .event)
        try fields.encode(statistics.frames, forKey: .frames)
        try fields.encode(statistics.dropped, forKey: .dropped)
        try fields.encode(statistics.damaged, forKey: .damaged)
        try fields.encode(statistics.flawed, forKey: .flawed)
        try fields.encode(statistics.symbols, forKey: .symbols)
        try fields.encode(statistics.repeats, forKey: .repeats)
        try fields.encode(statistics.decoding / .milliseconds(1), forKey: .decodingMs)
    }
}
