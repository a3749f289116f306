// SPDX-License-Identifier: Apache-2.0

import Encoding

/// The sentences of the pages and mails for people who log in, and of the operator's page.
package enum PageWord: String, CaseIterable, Sendable {
    // The login page.
    case logIn, holdCode, orType, newCode, picture
    // The line with a login's progress.
    case statusNew, statusScanned, statusUser, statusDeclined, statusNoSession, statusSilent
    // People who are logged in.
    case loggedIn, loggedInAs, protectedPage, welcome, hello, loginNeededTitle, loginNeeded, logOut
    // Links in mails.
    case confirmTitle, confirmQuestion, confirmAgainQuestion, confirm, confirmedTitle, confirmed, notConfirmedTitle,
        notConfirmed,
        unreadableUser, verifyTitle, verify, verifyType, verifyShow, verifyNotYou
    // A new device.
    case endTitle, endQuestion, endNew, endAll, endAllHelp, endedTitle, ended, notEndedTitle, notEnded
    // The OpenID provider.
    case asks, decline, refusedTitle, unknownApplication, badAddress, brokenAddress, loginFailed, tryAgain,
        returnTitle, returning, goOn,
        fieldMissing, fieldTwice, registeredAddresses, addressesInLog, fieldInvalid, logoutAsks, logoutMeans,
        logoutRefused, loggedOutTitle, loggedOut
    // Mails.
    case mailConfirmSubject, mailRegistered, mailAgainSubject, mailAgain, mailNewPINSubject, mailNewPIN, mailOpenPage,
        mailConfirmLink, mailTypeCode, mailOrShowPicture, mailPictureLink, mailNotYou, mailYou
    case mailDeviceSubject, mailDevice, mailOtherDevices, mailEndDevice
    case mailLoginSubject, mailLogin, mailFromPlace, mailFromInternet, mailFromPrivate, mailFromUnknown,
        mailBrowserHere, mailBrowserElsewhere, mailBrowserSomewhere, mailNoBrowser, mailMoreLogins, mailLastOfHour,
        mailTellService
    case mailPINsSubject, mailPINs, mailPINsCopy
    // Errors.
    case notFoundTitle, notFound, busyTitle, busy, brokenTitle, broken, toLogin
    // The operator's page: formats of numbers and times.
    case thousands, dateFormat, hourFormat
    // The operator's login.
    case operatorTitle, password, operatorLogIn, operatorLogOut, passwordHelp, wrongPassword, tooManyPasswords
    // The operator's list of identities.
    case identities, search, beginning, containing, match, find, everyState, states, user, identity, state, wrongPINs
    case lastLogin, since, until, actions, registered, blocked, revokedState, unconfirmed, pinNotChosen, renewing,
        never, mixedScripts, byCode, personalCard, temporaryCard
    case nobodyRegisters, noMatch, noMatchHelp, noIdentities, noIdentitiesHelp, showAll, pages, first, previous,
        next, utc
    // The operator's actions.
    case revoke, unblock, renew, activate, revoked, unblocked, renewed, activated
    case revokeTitle, revokeDevice, revokeOthers, revokeAgain, revokeFinal, isRevoked, cancel, back
    // The operator's picture of the last day.
    case day, logins, failures, wrongPIN, refused, sumOfLogins, sumOfFailures, noLogins, noFailures, axis, figures,
        barStart
    // Errors of the operator's page.
    case loginOver, foreignAddress, foreignForm, noSuchIdentity, badRequest, noStorage, wentWrong
}

/// The sentences in one language.
package struct PageWords: Sendable {
    let sentences: Sentences<PageWord>

    private init(_ language: String, _ file: [UInt8]) { sentences = Sentences(language, embedded: file) }

    /// A tag of BCP 47, for example `en`.
    package var language: String { sentences.language }

    /// All languages, English first.
    package static let all = [
        PageWords("en", PackageResources.en_yaml),
        PageWords("de", PackageResources.de_yaml),
        PageWords("fr", PackageResources.fr_yaml),
        PageWords("es", PackageResources.es_yaml),
        PageWords("bg", PackageResources.bg_yaml),
    ]

    package static let english = all[0]

    /// The language of the current request, and of mails that it causes; English without a request.
    @TaskLocal package static var current = english

    /// The sentences in `language`; English if there are none.
    package static func named(_ language: String) -> PageWords { all.first { $0.language == language } ?? english }

    /// The language that a browser prefers; English if it asks for none of them.
    /// - Parameter header: its `Accept-Language`.
    package static func chosen(by header: String?) -> PageWords {
        language(askedFor: header).map { named($0) } ?? english
    }

    /// The language of these that the browser prefers; nil if it asks for none of them.
    package static func language(askedFor header: String?) -> String? {
        AcceptedLanguage.chosen(by: header, from: all.map(\.language))
    }

    /// The sentence, safe for element content and quoted attribute values.
    /// - Parameter gaps: the texts for the gaps, already safe.
    package func callAsFunction(_ word: PageWord, _ gaps: [String: String] = [:]) -> String {
        sentences[word].filled(escaping: HTMLText.escaped) { gaps[$0] }
    }

    /// The sentence as plain text.
    package func plain(_ word: PageWord, _ gaps: [String: String] = [:]) -> String {
        sentences[word].filled { gaps[$0] }
    }
}
