// SPDX-License-Identifier: Apache-2.0

import CInput
import KioskPorts
import KioskTestKit
import Patience
import Testing
@testable import Keypads

/// The contract of the port. `make test-devices` checks a matrix and an input device of a real kernel, too.
@Suite("Keypads keep the port's contract")
struct KeypadContractTests {
    private static let keys: [Key] = [.digit(2), .digit(5), .digit(5), .digit(0), .back, .enter]

    @Test func theFakeOne() async throws {
        try await KeypadContract(keys: Self.keys, announces: false) {
            let keypad = FakeKeypad()
            return KeypadContract.Subject(keypad) { keypad.press($0) }
        }.check()
    }

    @Test func theScript() async throws {
        try await KeypadContract(keys: Self.keys, announces: false) {
            let script = try KeyScript("type 2550\nback\nenter")
            return KeypadContract.Subject(ScriptedKeypad(script, pause: .zero)) { _ in }
        }.check()
    }

    @Test func theMatrix() async throws {
        let rig = try PadRig()
        let signs: [Key: Character] = [.digit(2): "2", .digit(5): "5", .digit(0): "0", .back: "*", .enter: "#"]
        try await KeypadContract(keys: Self.keys, announces: true) {
            KeypadContract.Subject(rig.keypad) { key in
                rig.type(String(signs[key] ?? "?"), bounces: 3)
                // A key that is still down would look like touching wires to the next consumer.
                try await Patience.until { rig.matrix.isAtRest }
            }
        }.check()
    }

    @Test func theInputDevice() async throws {
        let node = "/dev/input/event3"
        let codes: [Key: Int32] = [
            .digit(2): KEY_KP2, .digit(5): KEY_5, .digit(0): KEY_KP0, .back: KEY_BACKSPACE, .enter: KEY_KPENTER,
        ]
        let system = FakeInputSystem()
        system.plug(
            node,
            FakeInputSystem.Device(
                identity: InputIdentity(name: "Pad", place: "usb-1/input0", vendor: 1, product: 2),
                keys: Set((1..<128).map { UInt16($0) })))
        let selector = try #require(InputSelector("0001:0002"))
        try await KeypadContract(keys: Self.keys, announces: true) {
            KeypadContract.Subject(EvdevKeypad(selector, system: system)) { key in
                system.press(try #require(codes[key]), on: node)
            }
        }.check()
    }

    @Test func theTouchPanel() async throws {
        let node = "/dev/input/event5"
        let system = FakeInputSystem()
        system.pass(.seconds(1))
        system.plug(
            node,
            FakeInputSystem.Device(
                identity: InputIdentity(name: "Panel", place: "i2c-10", vendor: 1, product: 2),
                keys: [UInt16(BTN_TOUCH)], axes: try ContactDecoderTests.axes(hasSlots: false)))
        let fields: [Key] = (1...9).map { .digit($0) } + [.back, .digit(0), .enter]
        try await KeypadContract(keys: Self.keys, announces: true) {
            let wish = InputWish(touch: nil, on: BarePanel(), mayLack: false)
            return KeypadContract.Subject(EvdevKeypad(wish, system: system)) { key in
                let index = try #require(fields.firstIndex(of: key))
                let (x, y) = (Int32(index % 3 * 1000 / 3 + 100), Int32(index / 3 * 125 - 50))
                system.happen(
                    [
                        .axis(UInt16(ABS_X), x), .axis(UInt16(ABS_Y), y), .key(UInt16(BTN_TOUCH), isDown: true),
                        .complete,
                    ],
                    on: node, after: .milliseconds(100))
                system.happen([.key(UInt16(BTN_TOUCH), isDown: false), .complete], on: node)
            }
        }.check()
    }

    @Test func severalAtOnce() async throws {
        try await KeypadContract(keys: Self.keys, announces: false) {
            let keypads = [FakeKeypad(), FakeKeypad()]
            return KeypadContract.Subject(MergedKeypad(keypads)) { key in
                keypads[key == .digit(5) ? 0 : 1].press(key)
            }
        }.check()
    }
}
