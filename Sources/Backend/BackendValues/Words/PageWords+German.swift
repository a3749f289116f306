// SPDX-License-Identifier: Apache-2.0

extension PageWords {
    static let german = PageWords(
        language: "de",
        [
            .logIn: "Anmelden",
            .holdCode: "Halten Sie diesen Code vor die Kamera des Kiosks und geben Sie dort Ihre PIN ein.",
            .orType: "Oder geben Sie am Kiosk diesen Code ein: {code}",
            .newCode: "Neuen Code zeigen",
            .picture: "QR-Code für den Kiosk",
            .statusNew: "Warten auf den Kiosk ...",
            .statusScanned: "Der Kiosk hat den Code gelesen.",
            .statusUser: "Geben Sie am Kiosk die PIN ein.",
            .statusDeclined: """
            Niemand wurde angemeldet. Um es noch einmal zu versuchen, halten Sie den Code vor die Kamera.
            """,
            .statusNoSession: "Die Seite hat keinen Code. Sind Cookies für sie erlaubt?",
            .statusSilent: "Der Server antwortet nicht. Neuer Versuch läuft.",
            .loggedIn: "Angemeldet",
            .loggedInAs: "Sie sind angemeldet als {user}.",
            .protectedPage: "Die geschützte Seite",
            .welcome: "Willkommen",
            .hello: "Guten Tag, {user}. Diese Seite sehen nur angemeldete Personen.",
            .loginNeededTitle: "Nicht angemeldet",
            .loginNeeded: "Diese Seite ist für angemeldete Personen.",
            .logOut: "Abmelden",
            .confirmTitle: "Registrierung bestätigen",
            .confirmQuestion: "Haben Sie {user} registriert?",
            .confirmAgainQuestion: """
            {user} ist schon registriert. Wollten Sie sich noch einmal registrieren, für eine neue PIN oder an einem \
            anderen Gerät?
            """,
            .confirm: "Ja, bestätigen",
            .confirmedTitle: "Bestätigt",
            .confirmed: "{user} ist bestätigt. Gehen Sie zurück zum Kiosk und wählen Sie eine PIN.",
            .notConfirmedTitle: "Nicht bestätigt",
            .notConfirmed: """
            Dieser Link ist ungültig, abgelaufen oder wurde schon benutzt. Lassen Sie sich am Kiosk eine neue \
            E-Mail senden.
            """,
            .unreadableUser: "eine unlesbare Benutzerkennung",
            .verifyTitle: "Am Kiosk registrieren",
            .verify: "Halten Sie diesen Code vor die Kamera des Kiosks, um {user} zu registrieren.",
            .verifyType: "Um {user} zu registrieren, geben Sie am Kiosk diesen Code ein: {code}",
            .verifyShow: "Oder halten Sie diesen QR-Code vor die Kamera des Kiosks.",
            .verifyNotYou: "Wenn Sie sich nicht registriert haben, schließen Sie diese Seite.",
            .endTitle: "Gerät entfernen",
            .endQuestion: """
            Für {user} wurde ein Gerät mit einem Code eines anderen Geräts registriert. Wenn Sie das nicht \
            waren, entfernen Sie es hier: Weder dieses Gerät noch eines, das seither mit einem Code registriert \
            wurde, kann sich dann noch anmelden.
            """,
            .endNew: "Das neue Gerät entfernen",
            .endAll: "Alle meine Geräte entfernen",
            .endAllHelp: "Sie registrieren sich dann neu, mit einer neuen PIN.",
            .endedTitle: "Entfernt",
            .ended: """
            Entfernte Geräte: {count}. Wenn Sie den Code nicht weitergegeben haben, kennt jemand Ihre PIN: \
            Wählen Sie eine andere.
            """,
            .notEndedTitle: "Nicht entfernt",
            .notEnded: "Dieser Link ist ungültig, abgelaufen oder wurde schon benutzt. Nichts wurde geändert.",
            .asks: "{application} bittet Sie, sich anzumelden.",
            .decline: "Nicht anmelden",
            .refusedTitle: "Diese Adresse führt nirgendwohin",
            .unknownApplication: "Die Anwendung, die Sie hierher geschickt hat, ist nicht bekannt.",
            .badAddress: """
            Die Anwendung, die Sie hierher geschickt hat, nannte keine Rücksprungadresse, die für sie \
            registriert ist.
            """,
            .brokenAddress: "Die Adresse, die Sie hierher geführt hat, ist fehlerhaft.",
            .loginFailed: "Niemand wurde angemeldet.",
            .tryAgain: "Noch einmal versuchen",
            .returnTitle: "Zurück zur Anwendung",
            .returning: "Sie kehren jetzt zur Anwendung zurück. Wenn nichts geschieht, drücken Sie den Knopf.",
            .goOn: "Weiter",
            .fieldMissing: "{field} fehlt.",
            .fieldTwice: "{field} kommt zweimal vor.",
            .registeredAddresses: "Diese Adressen sind registriert:",
            .addressesInLog: "Das Protokoll dieses Dienstes nennt die registrierten Adressen.",
            .fieldInvalid: "{field} ist nicht gültig.",
            .logoutAsks: "{application} möchte Sie abmelden.",
            .logoutMeans: """
            Die nächste Anwendung fragt wieder nach Ihrer PIN. Offene Anwendungen bleiben es \
            vielleicht.
            """,
            .logoutRefused: """
            Die Anwendung, die Sie hierher geschickt hat, hat eine ungültige Abmeldung verlangt. \
            Niemand wurde abgemeldet.
            """,
            .loggedOutTitle: "Abgemeldet",
            .loggedOut: "Die nächste Anwendung fragt wieder nach Ihrer PIN.",
            .mailConfirmSubject: "Registrierung bestätigen",
            .mailRegistered: "Jemand hat {user} bei {site} registriert.",
            .mailAgainSubject: "Neue Registrierung bestätigen",
            .mailAgain: """
            {user} ist bei {site} schon registriert. Jemand möchte sich noch einmal registrieren, für eine neue PIN \
            oder an einem anderen Gerät.
            """,
            .mailNewPINSubject: "Neue PIN wählen",
            .mailNewPIN: "Jemand hat für {user} bei {site} eine neue PIN angefordert.",
            .mailOpenPage: "Wenn Sie das waren, öffnen Sie innerhalb einer Stunde diese Seite und bestätigen Sie:",
            .mailConfirmLink: "Die Registrierung bestätigen",
            .mailTypeCode: "Wenn Sie das waren, geben Sie innerhalb einer Stunde am Kiosk diesen Code ein:",
            .mailOrShowPicture: """
            Oder öffnen Sie diese Seite und halten Sie den QR-Code darauf vor die Kamera des Kiosks:
            """,
            .mailPictureLink: "Den QR-Code anzeigen",
            .mailNotYou: "Wenn Sie das nicht waren, brauchen Sie nichts zu tun.",
            .mailYou: "Wenn Sie das waren, brauchen Sie nichts zu tun.",
            .mailDeviceSubject: "Ein neues Gerät wurde für Sie registriert",
            .mailDevice: """
            Für {user} wurde bei {site} ein Gerät registriert, mit einem Code von einem Ihrer anderen Geräte, \
            {time}.
            """,
            .mailOtherDevices: "Andere Geräte, die für Sie registriert sind: {count}.",
            .mailEndDevice: """
            Wenn Sie das nicht waren, öffnen Sie innerhalb von {count} Tagen diese Seite und entfernen Sie das Gerät
            """,
            .mailLoginSubject: "Neue Anmeldung",
            .mailLogin: "{user} hat sich bei {site} angemeldet, {time}.",
            .mailFromPlace: "Ort des Geräts: {place}.",
            .mailFromInternet: "Das Gerät war über das Internet verbunden.",
            .mailFromPrivate: "Das Gerät war über ein privates Netz verbunden.",
            .mailFromUnknown: "Das Gerät war über ein unbekanntes Netz verbunden.",
            .mailBrowserHere: "Es hat einen Browser am selben Ort angemeldet.",
            .mailBrowserElsewhere: "Es hat einen Browser an einem anderen Ort angemeldet.",
            .mailBrowserSomewhere: "Es hat einen Browser angemeldet, über dessen Ort nichts bekannt ist.",
            .mailNoBrowser: "Kein Browser wurde angemeldet.",
            .mailMoreLogins: "Weitere Anmeldungen seit der vorigen E-Mail: {count}.",
            .mailLastOfHour: "Weitere Anmeldungen in dieser Stunde nennt eine spätere E-Mail.",
            .mailTellService: "Wenn Sie das nicht waren, sagen Sie es den Betreibern des Dienstes.",
            .mailPINsSubject: "Falsche PINs",
            .mailPINs: "Innerhalb von dreißig Tagen wurden für {user} bei {site} {count} falsche PINs eingegeben.",
            .mailPINsCopy: """
            Wenn Sie das nicht waren, hat vielleicht jemand eine Kopie Ihrer Karte oder Ihres Geräts. Sagen \
            Sie es dem Betreiber: Er kann sie sperren.
            """,
            .notFoundTitle: "Seite nicht gefunden",
            .notFound: "Unter dieser Adresse gibt es keine Seite.",
            .busyTitle: "Ausgelastet",
            .busy: "Der Dienst ist ausgelastet. Versuchen Sie es gleich noch einmal.",
            .brokenTitle: "Das hat nicht geklappt",
            .broken: "Von hier geht es nicht weiter. Beginnen Sie dort noch einmal, wo Sie hergekommen sind.",
            .toLogin: "Zur Anmeldeseite",
        ])
}
