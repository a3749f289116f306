// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues

/// One line of `scan --json`.
struct ScanRecord: Encodable {
    var version = 1
    /// `running`, `trouble`, `skipped`, `passed_over`, `symbol`, `hint` or `stats`; fields of other events are left out.
    var event: String

    /// The camera of the pictures; left out when the source is no camera.
    var camera: String?
    /// `missing`, `in_use`, `silent`, `exchanged`, `broken` or `undecodable`.
    var trouble: String?
    var reason: String?

    var text: String?
    var base64: String?
    /// The number of codes that the text was joined from.
    var parts: Int?
    /// Whether it follows the grammar of a login code.
    var isLogin: Bool?
    /// In pixels of the frame.
    var x: Int?
    var y: Int?
    var edge: Int?

    /// A hint record without it means that there is no obstacle any more.
    var hint: String?
    var brightness: UInt8?
    var sharpness: UInt8?

    var frames: UInt64?
    var dropped: UInt64?
    var damaged: UInt64?
    var flawed: UInt64?
    var symbols: UInt64?
    var repeats: UInt64?
    var decodingMs: Double?

    enum CodingKeys: String, CodingKey {
        case version, event, camera, trouble, reason, text, base64, parts, x, y, edge, hint, brightness, sharpness,
            frames, dropped, damaged, flawed, symbols, repeats
        case isLogin = "is_login"
        case decodingMs = "decoding_ms"
    }

    init(camera: String) {
        event = "running"
        self.camera = camera.isEmpty ? nil : camera
    }

    init(_ trouble: ScannerTrouble) {
        event = "trouble"
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

    init(skipped trouble: ScannerTrouble) {
        event = "skipped"
        reason = trouble.reason
    }

    init(passedOver reason: String) {
        event = "passed_over"
        self.reason = reason
    }

    init(_ symbol: Symbol) {
        event = "symbol"
        let payload = PrintableText(symbol)
        text = payload.text
        base64 = payload.text == nil ? payload.base64 : nil
        parts = symbol.parts
        isLogin = (try? LoginRequest(symbol)) != nil
        (x, y, edge) = (symbol.sighting.centreX, symbol.sighting.centreY, symbol.sighting.edge)
        (brightness, sharpness) = (symbol.sighting.brightness, symbol.sighting.sharpness)
    }

    init(_ advice: ScannerAdvice) {
        event = "hint"
        hint = advice.hint.map { "\($0)" }
        (brightness, sharpness) = (advice.brightness, advice.sharpness)
    }

    init(_ statistics: ScannerStatistics) {
        event = "stats"
        (frames, dropped) = (statistics.frames, statistics.dropped)
        (damaged, flawed) = (statistics.damaged, statistics.flawed)
        (symbols, repeats) = (statistics.symbols, statistics.repeats)
        decodingMs = statistics.decoding / .milliseconds(1)
    }
}
