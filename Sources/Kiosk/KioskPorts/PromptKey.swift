// SPDX-License-Identifier: Apache-2.0

/// Every sentence that the kiosk can say.
public enum PromptKey: String, Sendable, CaseIterable {
    // The scan screen.
    case firstRunTitle, firstRunHelp
    case waitingForTime, waitingForTimeHelp
    case scanTitle, scanHelp, cameraMissing, cameraUnreadable, keypadMissing, invalidCode, untrustedCode, loopbackCode,
        codeAlreadyUsed, cardNotOffered, cardForeign, identitiesLost
    case hintTooDark, hintTooBright, hintBlurred, hintTooSmall, hintUnreadable, hintMirrored, hintTooManyCodes
    // A kiosk without an operator, and the deletion of everything.
    case profileTitle, kioskNumber, profileHelp, profileOnly, profileQuestionTitle, profileOperator, profileOperatorKey,
        languageChosen, languageName, profileSetting, profileFleetKey, settingUp, setUp
    case profileOtherKiosk, profileTooOld, profileTooNew, profileOtherOperator, profileNewer, profileDamaged,
        profileNoRoom, profileFailed, profileNotWanted
    case resetTitle, resetHelp, resetAgain, resetting, resetDone, resetFailed
    // The menu and its entries.
    case menuTitle, menuHelp, taskLogin, taskOneTimePassword, taskRegistrationCode, taskIdentities,
        taskRegisterWithCode,
        taskVerification
    // An access code typed by hand.
    case serviceChoiceTitle, serviceChoiceHelp, serviceUnknown, listEntry
    case codeEntryTitle, codeEntryHelp, codeMistyped, tapHelp
    // Connecting and consent.
    case connecting, connectingTo
    case consentTitle, consentService, consentDomain, consentOnBehalf, consentApplication, consentCustomer, consentTask,
        consentUser, consentNobody, browserElsewhere, browserElsewhereRefused, factsNeedRoom
    // The choice of an identity.
    case choiceTitle, choiceHelp, choiceHelpKnown, choiceUnknown
    case identityEntryTitle, identityEntryHelp, tapAddressHelp, qrAddressHelp, qrAddressRead, qrNotAnAddress,
        emailInvalid, identityExists
    // Registration.
    case registering, sendingMailAgain, checkingMail, savingIdentity
    case confirmationTitle, confirmationHelp, identityCreated, mailSentAgain, notVerifiedYet, registrationExpired,
        newMailWasNeeded, deleteReally
    case newPINTitle, newPINAgainTitle, newPINHelp, newPINHelpExact, newPINMismatch, newPINAllZeros, newPINWeak,
        newPINTooWeak,
        newMailNeeded
    case registered, registrationFailed, registrationFailedDeleted
    // Login.
    case preparing, pinTitle, pinUser, pinHelpExact, pinHelpAny, pinKeyByKey, authenticating, wrongPIN,
        wrongPINWait,
        wrongPINScanAgain, wrongPINBlocks, wrongPINLast, pinTooShort
    // Unverified and blocked people.
    case unverifiedWait, triesLast, triesUsed, triesUsedNext, triesUsedHelp, blockedTitle, blockedHelp,
        blockedHelpNamed,
        sendingMail,
        renewalNeedsPage, registrationsWait
    case success, successAt, wrongPINsToday, wrongPINsYesterday, wrongPINsEarlier
    // Codes that the server issues.
    case oneTimePasswordHelp, oneTimePasswordExpired, registrationCodeHelp, registrationCodeExpired, codeTimeLeft
    // Registering with a code.
    case identityEntryHelpCode, identityEntryHelpMail, activationTitle, activationHelp, verificationHelp,
        verificationHelpCode, verificationHelpLink, activationRead, activationUnreadable, linkOfSomebodyElse,
        activationRefused, verificationRefused, newCodeNeeded, registrationDone
    // Identities of this device.
    case identitiesNone, identityTitle, identityNumber, deleteWithPIN, deleteIdentityReally, deletePurpose, deleting,
        identityDeleted, deletionFailed
    case stateStartedRegistration, stateActivated, stateRegistered, stateBlocked, stateUnusable
    // Personal cards.
    case cardTitle, cardHelp, cardNoFleet, cardOtherFleet, cardNewer, cardDamaged, cardExpired, cardNotYet,
        cardUntrusted,
        cardElsewhere, cardOfSomebodyElse, cardIsVoid, cardEnds, cardMakesNoCode
    case cardOfferHelp, cardPurpose, writingCard, cardFailed, issuedCardTitle, issuedCardHelp, oldCard, oldCardOldPIN,
        cardNeedsRoom, cardNeedsLargerScreen
    // After a login.
    case loggingOut, loggedOut, logoutFailed
    // A login at the kiosk itself.
    case taskLocalLogin, doorChoiceTitle, doorChoiceHelp, doorNumberUnknown, doorPINTitle, doorOpened, doorOpenedAt,
        doorTooOften, doorFailed, doorUnknown
    // Every other outcome.
    case blocked, revoked, identityUnusable, sessionExpired, browserDidNotAnswer, secretExpired, notAuthorized,
        declined, timedOut, unreachable, outcomeUnknown, storageFailed, storageFull,
        authenticationFailed
    case serviceBusy, serviceTooBusy
    case versionRefused, appRefused, invalidConfiguration, serviceUnavailable, backendUntrusted,
        backendOfAnotherService, serverKeyRefused, backendFailed
    case taskLeft, taskTimedOut, taskExpired, taskOutcomeUnknown, taskNotOffered, taskNotAllowed
    case stopped, pageOfAnotherUser, pageOfAnotherUserHelp
    // The next step after an outcome.
    case nextScanAgain, nextTypeAgain, nextRegister, nextAskService, nextTryLater, nextTellOperator, nextNotYours,
        nextMenu, nextUnblock, nextNamed
    // Choosing another PIN.
    case taskChangePIN, currentPINTitle, currentPINAgainTitle, currentPINCheckedLater, changingPIN, pinChanged,
        newPINUnchanged, pinChangeFailed, pinChangeUnknown
    // Signing.
    case taskSigning, consentSignTitle
    case documentChoiceTitle, documentChoiceNumber, documentChoiceCode, documentUnknown, documentIsLogin,
        documentUnreadable, documentTooLong
    case documentTitle, documentPage, documentDescription, documentNeedsRoom, documentMark
    case signQuestionTitle, signQuestionHelp, signQuestionDescribed, documentName, documentFingerprint
    case checkingDocument, documentNotVerified
    case signingPINTitle, ownSigningPINTitle, signing, signed, signedForSession, signer
    case signingKeyTitle, signingKeyHelp, gettingSigningKey, newSigningPINTitle, newSigningPINAgainTitle,
        savingSigningKey, signingKeyReady, signingKeyFailed
    case signingImpossible, signingFailed, signatureRefused, signingExpired, signingDeclined, signingTimedOut,
        signingOutcomeUnknown
    case nextNothingSigned, nextSignAgain
    case actionNextPage, actionPreviousPage, actionSign
    // The actions of keys.
    case actionOK, actionNotMe, actionSomeoneElse, actionConfirmed, actionResend, actionDelete, actionBack,
        actionCancel, actionClear, actionContinue, actionMenu, actionLanguage, actionTypeCode, actionLetters,
        actionDigits, actionMore, actionDone, actionLogout, actionCard, actionTryPIN, actionRenew
    case actionSetUp, keyHeld, numLockHelp
    // Speech, and the look of drawn screens.
    case actionLook
    case actionSpeech, actionSpeechOff, actionQuieter, actionLouder, speechHelp, speechEnded
    case spokenKey, spokenDigits, spokenCharacters, spokenTyped, spokenDeleted, spokenEmpty, spokenHidden, spokenDot,
        spokenHyphen, spokenUnderscore, spokenAt, spokenPlus, spokenSlash, spokenColon, spokenStar, spokenHash,
        spokenSign
    // The poster beside the kiosk.
    case posterTitle, posterCheck, posterNewcomers
    // The guided first start.
    case guideGreeting, guideKeys, guideRunning, guideStep, guideLanguage, guideCamera, guideKeypad, guideDisplay,
        guideLamps, guideNetwork, guideService, guideClock, guideSummary, guideText, guideAsNow, guideChoose,
        guideChooseNumber, guideRight, guideCameraNone, guideInUse, guideCameraHelp, guideFocus, guideCodeRead,
        guidePictures, guideNoPicture, guideKeypadElsewhere, guideKeypadOwn, guideKeypadHelp, guideKeypadPress,
        guideKeypadHeard, guideKeypadMissing, guideKeypadNoOK, guideConsole, guideDisplayFirst, guideDisplayNone,
        guideLampsHelp, guideLampsNone, guideLampsName, guideLampsSeen, guideJoin, guideJoinNot, guideJoinHelp,
        guideJoinNothing, guideNetworkName, guideProtection, guideHidden, guideJoinReally, guideNotJoined,
        guideJoining, guideJoined, guideServiceHelp, guideServiceName, guideServiceAnswers, guideServiceTrust,
        guideServiceChosen, guideCameraChosen, guideKeypadChosen, guideDisplayChosen, guideLampsChosen,
        guideNothing, guideWrite, guideAgree, guideFailed, guideWritten, actionSkip
}

/// A sentence to show, without its words: a catalogue translates it.
public struct Prompt: Sendable, Hashable {
    public let key: PromptKey
    /// Values for exactly the placeholders of the English sentence. Text from outside must have passed ``DisplayText``.
    public let values: [PromptPlaceholder: String]

    public init(_ key: PromptKey, _ values: [PromptPlaceholder: String] = [:]) {
        self.key = key
        self.values = values
    }
}

/// A placeholder in a sentence.
public enum PromptPlaceholder: String, Sendable, CaseIterable {
    case service, domain, application, customer, user, status, minimum, number, seconds, minutes, time
    // Signing.
    case page, pages, name, hash
}
