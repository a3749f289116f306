// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("A document must be read to its end before it is signed")
struct SigningTests {
    static func sees(_ document: Result<DocumentText, DocumentTextError>?, _ code: String = "text") -> CodeReading {
        CodeReading(
            digest: Samples.digest(code),
            decision: document == nil ? .login(domain: Samples.domain) : .refused(.notALogin(.noAccessCode)),
            document: document)
    }

    /// The list of documents.
    static func choosing(_ signer: String = "signer") -> Visit {
        Visit.task(.signing).play("answer signerRead \(signer)")
    }

    /// The document is sent.
    static func preparing(_ signer: String = "signer") -> Visit {
        choosing(signer).play("key 1 enter enter enter")
    }

    static let signing = preparing().play("answer documentPrepared; key 2583 enter")
    static let gettingKey = Visit.task(.signing).play("answer signerRead keyless; key 2583 enter")
    static let keepingKey = gettingKey.play("answer signingKeyStarted; key 9753 enter 9753 enter")

    /// The consent of a session that a page's code opens.
    static func consent(
        _ description: String? = "A lease", isSigned: Bool = false
    ) -> Visit {
        let request = SigningRequest(
            description: description.map(Samples.document), hash: Samples.hash, isSigned: isSigned)
        return Visit.openingBackend.answered(
            .backendOpened(
                BackendSession(namedUser: "alice@example.com", signing: request, identities: [Samples.alice])))
    }

    static func readingScanned(_ description: String? = "A lease") -> Visit {
        consent(description).play("key enter; answer signerRead signer")
    }

    static let signingScanned = readingScanned().play("key enter enter 2583 enter")

    @Test func readsAndSigns() {
        let chosen = Visit.task(.signing).play(
            """
            answer signerRead signer => startTimer session 60s, resumeCamera
            wait documentChoice
            lines documentChoiceCode + documentChoiceNumber + listEntry(1;Rent) + listEntry(2;Lease)
            key 2; key enter => pauseCamera, startTimer session 180s
            lines documentName(Lease) + documentPage(1;3)
            """)
        #expect(chosen.view.document?.lines.first?.shown == "1")
        let read = chosen.play("key enter; line documentPage(2;3); key menu; offers enter actionContinue")
        #expect(read.view.document?.lines.map(\.shown) == ["21", "22", "23", "24", "25"])
        let signing = read.play(
            """
            key enter => startTimer session 180s; wait signQuestion, line signQuestionHelp
            key enter => startTimer wait, startTimer session 60s, perform prepareDocument
            answer documentPrepared => startTimer entry 30s; wait pin, title signingPINTitle
            line documentName(Lease), line documentFingerprint(… 89ab cdef)
            key 2583 enter -> perform sign signer cdef; time wait; wait signing, tone working
            """)
        #expect(signing.machine.refuses(.authenticated()), "no browser was logged in")
        signing.play(
            """
            answer signed -> closeSession signed; title signed, tone success
            lines signer(alice@example.com) + documentName(Lease) + documentFingerprint(… 89ab cdef)
            """)
    }

    @Test func turnsPagesBothWaysAndNotPastTheEnd() {
        Self.choosing().play(
            """
            key 2 enter menu menu; key menu => nothing
            line documentPage(3;3); key back; line documentPage(2;3); key back back; wait documentChoice
            or
            key 1 enter; key clear 5 => nothing
            key enter; wait signQuestion; key back; wait document
            """)
    }

    @Test func theTextOfACodeIsADocument() {
        var choosing = Self.choosing()
        choosing.codes = [
            "text": Self.sees(.success(Samples.document("I owe you\u{202E}"))),
            "bytes": Self.sees(.failure(.notUTF8), "1"), "long": Self.sees(.failure(.tooLong(1)), "2"),
            "empty": Self.sees(.failure(.empty), "3"), "a page": Self.sees(nil, "4"),
        ]
        let read = choosing.play("qr text; hint documentMark, lines documentPage(1;1)")
        #expect(read.view.document?.lines.map(\.shown) == ["I owe you‹U+202E›"])
        choosing.play(
            """
            qr bytes; wait documentChoice, hint documentUnreadable
            qr long; wait documentChoice, hint documentTooLong
            qr empty; wait documentChoice, hint documentUnreadable
            qr a page; wait documentChoice, hint documentIsLogin
            """)
    }

    @Test func asksAgainForAnUnknownNumber() {
        Self.choosing().play(
            """
            key enter => nothing
            key 0 enter; hint documentUnknown, entry empty; key 3 enter; hint documentUnknown, entry empty
            key 1 back; entry empty; key back -> closeSession declined
            title signingDeclined, lines nextSignAgain
            """)
    }

    @Test func whoCannotSignIsTold() {
        Visit.task(.signing).play(
            "answer signerRead alice -> closeSession notOffered; title signingImpossible, lines nextAskService")
    }

    /// Only the person chose its length, so the screen tells a stranger nothing of it.
    @Test(arguments: ["2583", "25831", "258310"]) func aPINOfItsOwnHasASecretLength(pin: String) {
        Self.preparing("own-signer").play(
            """
            answer documentPrepared; title ownSigningPINTitle, line pinHelpAny
            key 258; key enter => nothing
            key \(pin.dropFirst(3)); entry \(pin.count) of 6; key enter -> perform sign own-signer
            """)
    }

    @Test func makesAKeyForSigningFirst() {
        let getting = Visit.task(.signing).play(
            """
            answer signerRead keyless; title signingKeyTitle, line signingKeyHelp
            key 2583 enter -> perform startSigningKey keyless
            """)
        #expect(getting.machine.refuses(.signed), "there is no key yet")
        getting.play(
            """
            answer signingKeyStarted; title newSigningPINTitle; key 9753 enter; title newSigningPINAgainTitle
            key 9753 enter -> perform finishSigningKey keyless
            answer signingKeyFinished own-signer; wait documentChoice, hint signingKeyReady
            """)
    }

    /// Only its shares are deleted, and nothing of the registration.
    @Test func forgetsAKeyThatIsNotFinished() {
        Self.gettingKey.play(
            """
            answer signingKeyStarted; key back -> forgetShares keyless, no deleteIdentity; title signingDeclined
            or
            answer signingKeyStarted; time entry -> forgetShares keyless, no deleteIdentity; title signingTimedOut
            or
            # Without a key nothing was signed.
            time session; title unreachable
            """)
        Self.keepingKey.play("fail storageFailed; title signingKeyFailed(STATUS)")
    }

    @Test func stopsWhenTheDocumentIsAnother() {
        Self.preparing().play(
            "fail documentDiffers -> closeSession documentDiffers; title documentNotVerified, lines nextNothingSigned")
    }

    @Test func signsASessionUnseenAndSaysSo() {
        Self.consent().play(
            """
            wait consent, title consentSignTitle
            key enter => consented, startTimer wait, startTimer session 60s, perform readSigner alice
            answer signerRead signer; wait document, line documentDescription
            key enter; line documentFingerprint(… 89ab cdef), line signQuestionDescribed
            # The hash is known.
            key enter; wait pin; key 2583 enter -> perform sign signer cdef
            answer signed -> closeSession signed, no abort; title signedForSession
            """)
    }

    @Test func abortsASessionThatIsLeft() {
        for state in [Self.consent(nil), Self.readingScanned(), Self.readingScanned(nil)] {
            state.play(
                """
                key back -> abort, closeSession declined; title signingDeclined
                or
                time session -> abort
                or
                stop -> abort
                """)
        }
    }

    @Test func asksForAnotherScanWhenTheSessionIsOver() {
        Self.signingScanned.play("fail sessionExpired sent; wait outcome, title signingExpired")
        Self.consent(nil, isSigned: true).play("wait outcome, title signingExpired")
    }

    @Test func aHashHasSixtyFourDigits() {
        #expect(DocumentHash(String(repeating: "AB", count: 32))?.hexadecimal == String(repeating: "ab", count: 32))
        for text in [
            "", "ab", String(repeating: "g", count: 64), String(repeating: "a", count: 65),
            "é" + String(repeating: "a", count: 62),
        ] {
            #expect(DocumentHash(text) == nil)
        }
    }
}
