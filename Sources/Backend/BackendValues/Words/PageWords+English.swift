// SPDX-License-Identifier: Apache-2.0

extension PageWords {
    package static let english = PageWords(
        language: "en",
        [
            .logIn: "Log in",
            .holdCode: "Hold this code to the camera of the kiosk and type your PIN there.",
            .orType: "Or type this code on the kiosk: {code}",
            .newCode: "Show a new code",
            .picture: "QR code for the kiosk",
            .statusNew: "Waiting for the kiosk ...",
            .statusScanned: "The kiosk has read the code.",
            .statusUser: "Type the PIN on the kiosk.",
            .statusDeclined: "Nobody was logged in. To try again, hold the code to the camera.",
            .statusNoSession: "The page has no code. Are cookies allowed for it?",
            .statusSilent: "The site does not answer. Trying again.",
            .loggedIn: "Logged in",
            .loggedInAs: "You are logged in as {user}.",
            .protectedPage: "The protected page",
            .welcome: "Welcome",
            .hello: "Hello, {user}. Only people who are logged in see this page.",
            .loginNeededTitle: "Not logged in",
            .loginNeeded: "This page is for people who are logged in.",
            .logOut: "Log out",
            .confirmTitle: "Confirm the registration",
            .confirmQuestion: "Was it you who registered {user}?",
            .confirmAgainQuestion: """
            {user} is registered already. Was it you who asked to register again, for a new PIN or on another \
            device?
            """,
            .confirm: "Yes, confirm",
            .confirmedTitle: "Confirmed",
            .confirmed: "{user} is confirmed. Go back to the kiosk and choose a PIN.",
            .notConfirmedTitle: "Not confirmed",
            .notConfirmed: """
            This link is invalid, has expired, or was already used. Ask for another e-mail at the kiosk.
            """,
            .unreadableUser: "an unreadable user id",
            .verifyTitle: "Register on the kiosk",
            .verify: "Hold this code to the camera of the kiosk to register {user}.",
            .verifyType: "To register {user}, type this code on the kiosk: {code}",
            .verifyShow: "Or hold this QR code up to the camera of the kiosk.",
            .verifyNotYou: "If it was not you who registered, close this page.",
            .endTitle: "Remove a device",
            .endQuestion: """
            A device was registered for {user} with a code of another device. If it was not you, remove it here: \
            neither it nor any device that was registered with a code since then can log in any more.
            """,
            .endNew: "Remove the new device",
            .endAll: "Remove all my devices",
            .endAllHelp: "Then you register again, with a new PIN.",
            .endedTitle: "Removed",
            .ended: """
            Removed devices: {count}. If you did not give that code out, somebody knows your PIN: choose another \
            one.
            """,
            .notEndedTitle: "Not removed",
            .notEnded: "This link is invalid, has expired, or was already used. Nothing was changed.",
            .asks: "{application} asks you to log in.",
            .decline: "Do not log in",
            .refusedTitle: "This address leads nowhere",
            .unknownApplication: "The application that sent you here is not known.",
            .badAddress: "The application that sent you here gave no return address that is registered for it.",
            .brokenAddress: "The address that sent you here is broken.",
            .loginFailed: "Nobody was logged in.",
            .tryAgain: "Try again",
            .returnTitle: "Back to the application",
            .returning: "You go back to the application now. If nothing happens, press the button.",
            .goOn: "Continue",
            .fieldMissing: "{field} is missing.",
            .fieldTwice: "{field} occurs twice.",
            .registeredAddresses: "These addresses are registered:",
            .addressesInLog: "The log of this service names the registered addresses.",
            .fieldInvalid: "{field} is not valid.",
            .logoutAsks: "{application} asks to log you out.",
            .logoutMeans: "The next application will ask for your PIN again. Applications that are open may stay so.",
            .logoutRefused: """
            The application that sent you here sent an invalid logout request. Nobody was logged out.
            """,
            .loggedOutTitle: "Logged out",
            .loggedOut: "The next application will ask for your PIN again.",
            .mailConfirmSubject: "Confirm your registration",
            .mailRegistered: "Somebody registered {user} at {site}.",
            .mailAgainSubject: "Confirm your new registration",
            .mailAgain: """
            {user} is registered at {site} already. Somebody asks to register again, for a new PIN or on another \
            device.
            """,
            .mailNewPINSubject: "Choose a new PIN",
            .mailNewPIN: "Somebody asked for a new PIN for {user} at {site}.",
            .mailOpenPage: "If it was you, open this page within an hour and confirm:",
            .mailConfirmLink: "Confirm the registration",
            .mailTypeCode: "If it was you, type this code on the kiosk within an hour:",
            .mailOrShowPicture: "Or open this page and hold its QR code up to the camera of the kiosk:",
            .mailPictureLink: "Show the QR code",
            .mailNotYou: "If it was not you, do nothing.",
            .mailYou: "If it was you, do nothing.",
            .mailDeviceSubject: "A new device was registered for you",
            .mailDevice: """
            A device was registered for {user} at {site}, with a code from another device of yours, {time}.
            """,
            .mailOtherDevices: "Other devices that are registered for you: {count}.",
            .mailEndDevice: "If it was not you, open this page within {count} days and remove the device",
            .mailLoginSubject: "New login",
            .mailLogin: "{user} logged in at {site}, {time}.",
            .mailFromPlace: "Place of the device: {place}.",
            .mailFromInternet: "The device connected from the Internet.",
            .mailFromPrivate: "The device connected from a private network.",
            .mailFromUnknown: "The device connected from an unknown network.",
            .mailBrowserHere: "It logged in a browser at the same place.",
            .mailBrowserElsewhere: "It logged in a browser at another place.",
            .mailBrowserSomewhere: "It logged in a browser; nothing is known of its place.",
            .mailNoBrowser: "No browser was logged in.",
            .mailMoreLogins: "More logins since the previous e-mail: {count}.",
            .mailLastOfHour: "More logins in this hour will be reported in a later e-mail.",
            .mailTellService: "If it was not you, tell the people who run the service.",
            .mailPINsSubject: "Wrong PINs",
            .mailPINs: "Within thirty days {count} wrong PINs were typed for {user} at {site}.",
            .mailPINsCopy: """
            If it was not you, somebody may have a copy of your card or device. Tell your operator, who can \
            revoke it.
            """,
            .notFoundTitle: "No such page",
            .notFound: "There is no page at this address.",
            .busyTitle: "Busy",
            .busy: "The service is busy. Try again in a moment.",
            .brokenTitle: "That did not work",
            .broken: "The page cannot go on from here. Begin again where you came from.",
            .toLogin: "To the login page",
        ])
}
