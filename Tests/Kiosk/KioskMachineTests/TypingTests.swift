// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("An e-mail address by keyboard, number pad or QR code")
struct TypingTests {
    static let start: Visit = {
        var visit = Visit.consented("")
        visit.codes["card"] = CodeReading(
            digest: Samples.digest("card"), decision: .refused(.notALogin(.noAccessCode)),
            address: EmailAddress("carol@example.com"))
        return visit
    }()

    @Test func aNumberPadTapsLetters() {
        let typed = Self.start.play(
            """
            key 2 => startTimer session 60s, startTimer tap 1s
            key 2 => startTimer session, startTimer tap; entry text b
            time tap => nothing
            key 2; entry text ba, offers menu actionDigits; key menu => startTimer session
            key 2; entry text ba2, offers menu actionLetters; key menu 3
            """)
        // A late timer of another session changes nothing.
        typed.after { $0.timerFired(.tap, session: SessionNumber(0)) }.play("key 3; entry text ba2e")
    }

    @Test func aKeyboardNeedsNoHelp() {
        let typed = Self.start.play(
            """
            line tapAddressHelp; type a => startTimer session
            key 2 => startTimer session; entry text a2, no tapAddressHelp
            """)
        #expect(!typed.view.actions.contains { $0.key == .menu })
    }

    @Test func aCodeCarriesTheAddress() {
        #expect(Self.start.machine.readsText)
        // A card that stays in view does not overwrite edited text.
        Self.start.play(
            """
            line qrAddressHelp; type x; qr card => startTimer view, startTimer session
            entry text carol@example.com, hint qrAddressRead
            key back; qr card => startTimer view; entry text carol@example.co
            """)
    }

    @Test func theLoginPageMayStayInView() {
        Self.start.play(
            """
            qr login => startTimer view login 3s
            qr login 2 => startTimer view login 2
            hint none; session open; qr other; hint qrNotAnAddress
            """)
    }

    /// The camera reads an address, and nothing afterwards.
    @Test func theCameraLooksWhileAnAddressIsTypedAndNoLonger() {
        let sent = Self.start.play("-> resumeCamera; qr card; key enter -> pauseCamera")
        #expect(!sent.machine.readsText)
        sent.play("fail unreachable -> resumeCamera; key back -> pauseCamera")
        Self.start.after { machine in
            machine.cameraChanged(trouble: .missing)
            return []
        }.play("no qrAddressHelp")
    }
}
