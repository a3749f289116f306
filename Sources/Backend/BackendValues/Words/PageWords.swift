// SPDX-License-Identifier: Apache-2.0

/// The sentences of the pages for people who log in.
package enum PageWord: CaseIterable, Sendable {
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
}

/// The sentences in one language. Gaps are written `{user}`.
package struct PageWords: Sendable {
    /// A tag of BCP 47, for example `en`.
    package let language: String
    package let sentences: [PageWord: String]

    init(language: String, _ sentences: [PageWord: String]) {
        self.language = language
        self.sentences = sentences
    }

    /// All languages, English first.
    static let all = [english, german, french, spanish, bulgarian]

    /// The language of the current request, and of mails that it causes; English without a request.
    @TaskLocal package static var current = english

    /// The sentences in `language`; English if there are none.
    package static func named(_ language: String) -> PageWords { all.first { $0.language == language } ?? english }

    /// The language that a browser prefers; English if it asks for none of them.
    /// - Parameter header: its `Accept-Language`.
    package static func chosen(by header: String?) -> PageWords {
        language(askedFor: header).map { named($0) } ?? english
    }

    /// The language of these that is asked for; nil if it is none of them.
    package static func language(askedFor header: String?) -> String? {
        AcceptedLanguage.chosen(by: header, from: all.map(\.language))
    }

    /// The sentence, safe for element content and quoted attribute values.
    /// - Parameter gaps: the texts for the gaps, already safe.
    package func callAsFunction(_ word: PageWord, _ gaps: [String: String] = [:]) -> String {
        HTMLText.filled(sentences[word] ?? "", gaps)
    }

    /// The sentence as plain text.
    package func plain(_ word: PageWord, _ gaps: [String: String] = [:]) -> String {
        HTMLText.filled(sentences[word] ?? "", gaps) { $0 }
    }
}
