// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// A newcomer at a backend that registers people only with a mailed code.
@Suite("A newcomer's address is verified on the way to a login")
struct NewcomerTests {
    static let typingCode = Visit(codes: ActivationTests.codes).play(
        """
        qr login; connect mails; key enter; type dave@example.com; key enter; answer verificationStarted
        """)

    static let askingPIN = typingCode.play(
        """
        key 7 enter; answer verified; answer registrationStarted new-dave; answer registrationConfirmed
        key 2583 enter 2583 enter; answer registrationFinished dave; answer authenticationStarted
        """)

    @Test func asksForTheAddressWithItsMail() {
        Visit.consented("mails").play(
            """
            line identityEntryHelpMail
            type dave@example.com; key enter -> perform startVerification dave@example.com
            answer verificationStarted; wait activationEntry, title confirmationTitle
            line verificationHelp(dave@example.com)
            or
            # A mail that is not sent is told.
            type dave@example.com; key enter; fail notVerified; wait identityEntry, hint verificationRefused
            """)
        // A person whom the page names types nothing.
        Visit.consented("named eve@example.com mails").play("key enter -> perform startVerification eve@example.com")
    }

    /// The link of the mail continues the login. Another person's link and the login page's code do not.
    @Test func theLinkOfTheMailIsHeldUp() {
        Self.typingCode.play(
            """
            qr login 2 => startTimer view
            qr link to eve; hint linkOfSomebodyElse
            or
            qr link to dave -> perform finishVerification dave@example.com
            """)
    }

    @Test func logsThePersonIn() {
        Self.askingPIN.play(
            """
            wait pin, hint registered(3); key 2583 enter -> perform finishAuthentication dave
            answer authenticated -> closeSession loggedIn
            or
            # The mail took longer than the page waits. The person is registered, and told to scan again.
            key 2583 enter; fail sessionExpired sent -> no deleteIdentity; title sessionExpired
            """)
    }

    /// A refused code is typed again.
    @Test func theCodeIsTypedAnewOrLeft() {
        let refused = Self.typingCode.play(
            """
            key 7 enter -> perform finishVerification dave@example.com
            fail notVerified -> code wipe; wait activationEntry, hint activationRefused
            """)
        #expect(refused.machine.typesCode)
        // The page is told that its code was given up, and shows it again.
        Self.typingCode.play("key back -> abort, closeSession declined; lines nextScanAgain")
    }

    /// The code of another device needs no mail here either.
    @Test func theCodeOfAnotherDeviceIsTypedAtOnce() {
        Visit.task(.registerWithCode, "mails").play(
            """
            line identityEntryHelpCode; type dave@example.com; key enter; title activationTitle
            key 7 enter -> perform startRegistrationWithCode dave@example.com
            """)
    }
}
