// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// One line of a ``FlowScript``.
public enum FlowAction: Sendable, Hashable {
    public enum Sight: Sendable, Hashable {
        case loginPage
        case code(String)
        /// The page of a web site that asks for a signature.
        case signingPage(String)
        /// The link of the newest mail to this user.
        case mail(String)
        /// The personal card of a user who is registered on another device.
        case card(String)
        /// A profile for this kiosk, by an operator of this name, that trusts the service.
        case profile(String)
        case wall
    }

    /// The backend's dialect. It comes first.
    case service(String)
    case user(String, pin: String)
    /// A user who is registered on another device.
    case elsewhere(String, pin: String)
    /// A file beside the script, ready for signing. It comes before the kiosk's start.
    case document(String, title: String)
    /// A door that a login at the kiosk opens, without a menu. It comes before the kiosk's start.
    case door
    /// A fleet key for the kiosk and all other devices. It comes before the kiosk's start.
    case fleet
    /// A kiosk in its delivered state: it trusts no service and waits for a profile. It comes before the kiosk's start.
    case new
    case sight(Sight)
    case waitForStage(KioskStage)
    case waitForText(String)
    case expect(String)
    case press([Key])
    case accessNumber
    /// Types the code that this user's other device makes.
    case code(String)
    /// Types the code of the newest mail to this user.
    case mailedCode(String)
    /// Registers this user's other device with the code on the screen.
    case join(String, pin: String)
    case activate(String)
    case browser(String)
    /// Waits until the web site has this user's signature.
    case signature(String)
    /// Expects that the door was opened for this user only.
    case opened(String)
    case screenshot(String)
}

extension FlowAction {
    /// - Parameter line: a line that is not empty and has no spaces at its ends.
    init(_ line: Substring) throws(FlowActionError) {
        let words = line.split(separator: " ", maxSplits: 1)
        let verb = words.first ?? ""
        let rest = words.count == 2 ? FlowScript.trimmed(words[1]) : ""
        switch verb {
        case "service": self = .service(try FlowAction.word(rest, "service needs a dialect"))
        case "user":
            let (user, pin) = try FlowAction.person(rest, verb)
            self = .user(user, pin: pin)
        case "elsewhere":
            let (user, pin) = try FlowAction.person(rest, verb)
            self = .elsewhere(user, pin: pin)
        case "document": self = try FlowAction.document(rest)
        case "door":
            guard rest.isEmpty else { throw FlowActionError("door stands alone") }
            self = .door
        case "fleet":
            guard rest.isEmpty else { throw FlowActionError("fleet stands alone") }
            self = .fleet
        case "new":
            guard rest.isEmpty else { throw FlowActionError("new stands alone") }
            self = .new
        case "opened": self = .opened(try FlowAction.word(rest, "opened needs a user"))
        case "qr": self = .sight(try FlowAction.sight(rest))
        case "wait" where rest.hasPrefix("\""): self = .waitForText(try FlowAction.quoted(rest))
        case "wait":
            guard let stage = KioskStage(rawValue: String(rest)) else {
                throw FlowActionError("wait needs a stage of the kiosk, or a text in quotation marks")
            }
            self = .waitForStage(stage)
        case "expect": self = .expect(try FlowAction.quoted(rest))
        case "key": self = .press(try FlowAction.keys(rest))
        case "type": self = .press(try FlowAction.characters(rest))
        case "number":
            guard rest.isEmpty else { throw FlowActionError("number stands alone") }
            self = .accessNumber
        case "code": self = .code(try FlowAction.word(rest, "code needs a user"))
        case "mailed": self = .mailedCode(try FlowAction.word(rest, "mailed needs an address"))
        case "join":
            let (user, pin) = try FlowAction.person(rest, verb)
            self = .join(user, pin: pin)
        case "activate": self = .activate(try FlowAction.word(rest, "activate needs an address"))
        case "browser": self = .browser(try FlowAction.word(rest, "browser needs a user"))
        case "signature": self = .signature(try FlowAction.word(rest, "signature needs a user"))
        case "screenshot":
            let name = try FlowAction.word(rest, "screenshot needs a name")
            guard name.utf8.allSatisfy({ FlowAction.isLetter($0) || FlowAction.isDigit($0) || $0 == UInt8(ascii: "-") })
            else { throw FlowActionError("a screenshot's name has small letters, digits and -") }
            self = .screenshot(name)
        default:
            throw FlowActionError(
                """
                expected one of service user elsewhere document door fleet new qr wait expect key type number code \
                mailed join \
                activate browser signature opened screenshot
                """)
        }
    }

    private static func person(
        _ text: Substring, _ verb: Substring
    ) throws(FlowActionError) -> (user: String, pin: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, (4...6).contains(words[1].utf8.count), words[1].utf8.allSatisfy(isDigit) else {
            throw FlowActionError("\(verb) needs an address and a PIN of 4 to 6 digits")
        }
        return (String(words[0]), String(words[1]))
    }

    private static func document(_ text: Substring) throws(FlowActionError) -> FlowAction {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].utf8.allSatisfy({ isLetter($0) || $0 == UInt8(ascii: ".") }) else {
            throw FlowActionError("document needs a file beside the script, of small letters and points, and a title")
        }
        return .document(String(words[0]), title: try quoted(FlowScript.trimmed(words[1])))
    }

    private static func sight(_ text: Substring) throws(FlowActionError) -> Sight {
        switch text {
        case "login": .loginPage
        case "none": .wall
        case _ where text.hasPrefix("\""): .code(try quoted(text))
        case _ where text.hasPrefix("signing "):
            .signingPage(try quoted(FlowScript.trimmed(text.dropFirst("signing ".count))))
        case _ where text.hasPrefix("mail "):
            .mail(try word(FlowScript.trimmed(text.dropFirst("mail ".count)), "mail needs a user"))
        case _ where text.hasPrefix("card "):
            .card(try word(FlowScript.trimmed(text.dropFirst("card ".count)), "card needs a user"))
        case _ where text.hasPrefix("profile "):
            .profile(try quoted(FlowScript.trimmed(text.dropFirst("profile ".count))))
        default:
            throw FlowActionError("qr needs login, signing, mail, card, profile, none, or a text in quotation marks")
        }
    }

    private static func keys(_ text: Substring) throws(FlowActionError) -> [Key] {
        let named: [Substring: Key] = ["enter": .enter, "clear": .clear, "back": .back, "menu": .menu]
        var keys: [Key] = []
        for word in text.split(separator: " ") {
            if let key = named[word] {
                keys.append(key)
            } else if word.utf8.allSatisfy(isDigit) {
                keys += word.utf8.map { .digit($0 - UInt8(ascii: "0")) }
            } else {
                throw FlowActionError("a key is a digit, enter, clear, back or menu")
            }
        }
        guard !keys.isEmpty else { throw FlowActionError("key needs keys") }
        return keys
    }

    private static func characters(_ text: Substring) throws(FlowActionError) -> [Key] {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw FlowActionError("type needs a text of printable ASCII")
        }
        return text.utf8.map {
            isDigit($0) ? .digit($0 - UInt8(ascii: "0")) : .character(Character(Unicode.Scalar($0)))
        }
    }

    private static func quoted(_ text: Substring) throws(FlowActionError) -> String {
        let inside = text.dropFirst().dropLast()
        guard text.count >= 3, text.hasPrefix("\""), text.hasSuffix("\""), !inside.contains("\"") else {
            throw FlowActionError("the text stands in quotation marks and has none itself")
        }
        return String(inside)
    }

    private static func word(_ text: Substring, _ problem: String) throws(FlowActionError) -> String {
        guard !text.isEmpty, !text.contains(" ") else { throw FlowActionError(problem) }
        return String(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
