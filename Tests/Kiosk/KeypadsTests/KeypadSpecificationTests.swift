// SPDX-License-Identifier: Apache-2.0

import GPIO
import KioskPorts
import Patience
import Testing
@testable import Keypads

@Suite("The text that names a keypad")
struct KeypadSpecificationTests {
    /// Each text is written and read again.
    @Test(
        arguments: [
            "console", "script:/tmp/keys", "script:a:b", "evdev:1a2c:4c5e", "evdev:/dev/input/by-path/x-event-kbd",
            "evdev:phys=usb-1.3/input0", "evdev:name=USB Number Pad", "touch", "touch:/dev/input/by-path/i2c-10-event",
            "gpio:rows=5/6/13/19,columns=12/16/20,layout=123/456/789/*0#",
            "gpio:rows=GPIO5/GPIO6,columns=GPIO7,chip=pinctrl-rp1,layout=1/0,active=high,idle=open,settle=500",
            "gpio:rows=0/1/2/3,columns=4/5/6/7,chip=/dev/gpiochip2,layout=123A/456B/789C/*0#D",
        ])
    func roundTrips(_ text: String) throws {
        let specification = try KeypadSpecification(text)
        #expect(specification.description == text)
        #expect(try KeypadSpecification(specification.description) == specification)
    }

    @Test func whatIsUsual() throws {
        guard case .gpio(let settings) = try KeypadSpecification("gpio:columns=4/5/6/7,rows=0/1/2/3") else {
            Issue.record("no pad")
            return
        }
        #expect(settings.layout.description == "123A/456B/789C/*0#D")
        #expect(settings.isActiveLow && settings.drive == .switched && settings.chip == .usual)
        #expect(settings.name(of: .row(1)) == "1")
        #expect(settings.name(of: .column(3)) == "7")
        guard case .evdev(let selector) = try KeypadSpecification("evdev:USB Pad") else {
            Issue.record("no device")
            return
        }
        #expect(selector == .named("USB Pad"))
    }

    @Test(
        arguments: [
            ("", .unknownKind), ("keyboard", .unknownKind), ("console:x", .unknownKind), ("script:", .unknownKind),
            ("gpio", .unknownKind), ("evdev:", .noSelector), ("evdev:/etc/passwd", .noSelector),
            ("evdev:/dev/input/../sda", .noSelector), ("evdev:phys=", .noSelector), ("evdev:name=", .noSelector),
            ("touch:", .noSelector), ("touch:/dev/sda", .noSelector), ("touched", .unknownKind),
            ("gpio:", .unknownField), ("gpio:pins=1", .unknownField), ("gpio:rows=1,rows=2", .unknownField),
            ("gpio:rows=1//2,columns=3", .badValue), ("gpio:rows=1,columns=2,settle=9", .badValue),
            ("gpio:rows=1,columns=2,settle=+50", .badValue), ("gpio:rows=1,columns=2,active=yes", .badValue),
            ("gpio:rows=1,columns=2,layout=x", .badValue), ("gpio:rows=1,columns=2,idle=on", .badValue),
            ("gpio:rows=1", .linesMissing), ("gpio:rows=1,columns=2", .linesDoNotFit),
            ("gpio:rows=1,columns=1,layout=5", .linesDoNotFit), ("gpio:rows=1,columns=2,layout=56", .linesDoNotFit),
        ] as [(String, KeypadSpecificationError.Code)])
    func mistakesAreNamed(_ text: String, _ code: KeypadSpecificationError.Code) {
        let error = #expect(throws: KeypadSpecificationError.self) { try KeypadSpecification(text) }
        #expect(error?.code == code)
    }

    @Test func aConfigurationsMapMeansTheSame() throws {
        #expect(try KeypadSpecification(driver: "console", settings: [:]) == .console)
        #expect(
            try KeypadSpecification(driver: "script", settings: ["file": "/tmp/keys"]) == .script(path: "/tmp/keys"))
        for (name, value, text) in [
            ("usb", "1a2c:4c5e", "evdev:1a2c:4c5e"), ("name", "1a2c:4c5e", "evdev:name=1a2c:4c5e"),
            ("phys", "usb-1/input0", "evdev:phys=usb-1/input0"),
            ("path", "/dev/input/event3", "evdev:/dev/input/event3"),
        ] {
            let specification = try KeypadSpecification(driver: "evdev", settings: [name: value])
            #expect(specification.description == text)
            let touch = try KeypadSpecification(driver: "touch", settings: [name: value])
            #expect(touch.description == text.replacing("evdev:", with: "touch:"))
        }
        #expect(try KeypadSpecification(driver: "touch", settings: [:]) == .touch(nil))
        #expect(
            try KeypadSpecification(driver: "gpio", settings: ["rows": "5/6", "columns": "7/8", "layout": "12/34"])
                == KeypadSpecification("gpio:rows=5/6,columns=7/8,layout=12/34"))
    }

    @Test(
        arguments: [
            ("mouse", [:], .unknownKind), ("console", ["file": "x"], .unknownKind), ("script", [:], .unknownKind),
            ("script", ["path": "x"], .unknownKind), ("evdev", [:], .noSelector),
            ("evdev", ["usb": "pad"], .noSelector), ("touch", ["path": "event3"], .noSelector),
            ("evdev", ["usb": "1a2c:4c5e", "name": "x"], .noSelector), ("evdev", ["path": "event3"], .noSelector),
            ("gpio", [:], .linesMissing), ("gpio", ["pins": "1"], .unknownField),
        ] as [(String, [String: String], KeypadSpecificationError.Code)])
    func mistakesInAMapAreNamed(_ driver: String, _ settings: [String: String], _ code: KeypadSpecificationError.Code) {
        let error = #expect(throws: KeypadSpecificationError.self) {
            try KeypadSpecification(driver: driver, settings: settings)
        }
        #expect(error?.code == code)
    }

    /// Any text is read or refused, and a text that was read is written and read again.
    @Test func anyTextIsReadOrRefused() throws {
        var generator = SplitMix64(seed: 11)
        let pieces = [
            "gpio:", "evdev:", "script:", "console", "rows=", "columns=", "layout=", "chip=", "active=", "low", "/",
            ",", "=",
            "1", "2", "GPIO5", "*0#", "123/456", ":", "1a2c", "name=", "phys=", "settle=", "200", "é", "\u{0}", " ",
        ]
        var read = 0
        for seed in 0..<20_000 {
            let text = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            guard let specification = try? KeypadSpecification(text) else { continue }
            read += 1
            #expect(
                try KeypadSpecification(specification.description) == specification, "round \(seed): \(text)")
        }
        #expect(read > 100)
    }
}
