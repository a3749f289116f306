// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// The login of a browser, from the code on its page until the browser is logged in. The page's requests and the
/// device's requests change this one value. docs/protocol/milagro.md, section 7.3; docs/protocol/miracl.md, section 6.
package struct LoginSession: Codable, Sendable {
    package static let lifetime = Duration.seconds(300)
    /// The time a device that began in the last second gets to finish.
    package static let grace = Duration.seconds(5)
    /// The time for which a device of the classic dialects waits for the browser after a right PIN.
    static let browserDeadline = Duration.seconds(10)
    /// The time after which a device asks again if there was no room for the browser.
    static let pauseWithoutRoom = Duration.seconds(5)

    package private(set) var status: LoginStatus
    /// The user that the device named, as it named it. After a right PIN, the user of that PIN.
    package private(set) var userID: String
    /// The purpose of the session, in the words of the party that opened it.
    var request = SessionRequest()
    /// The authOTT of the device that waits for the browser; nil where no device waits.
    private(set) var waiting: OneTimeToken?
    /// The end of that wait.
    private(set) var deadline: WallTime?
    /// The token with which the device may log the browser out.
    private(set) var browser: OneTimeToken?
    /// Whether the site lets devices log browsers out.
    private(set) var offersLogout = false
    /// Whether the device may log in once more, with the new key that it got.
    private(set) var isRepeatable = false
    /// Base64 of the signature's JSON.
    private(set) var signature: String?

    package init(_ status: LoginStatus = .new, of userID: String = "") { (self.status, self.userID) = (status, userID) }
}

/// The progress of a login. The raw values are those of the wire.
package enum LoginStatus: String, Codable, Sendable {
    case new
    case scanned = "wid"
    /// The device has named its user.
    case named = "user"
    /// The person declined on the device, and may scan again.
    case declined = "abort"
    /// The PIN was right. The page's next request logs its browser in.
    case proved = "authenticate"
    case signed
    /// The browser is logged in.
    case admitted
    case ended = "expired"

    /// Whether the page waits for a device.
    package var isOpen: Bool {
        switch self {
        case .new, .scanned, .named, .declined: true
        case .proved, .signed, .admitted, .ended: false
        }
    }
}

extension LoginSession {
    /// Whether a device may log the browser in. A session for a signature is never open for a login.
    var isOpenForLogin: Bool { request.hash.isEmpty && (status.isOpen || isRepeatable) }

    /// Whether it is open to this user: a page that was opened for one person admits no other.
    func isFor(_ userID: String) -> Bool { request.userID.isEmpty || request.userID == userID }

    /// Takes the report of a device that has proved nothing.
    mutating func report(_ status: LoginStatus, of userID: String) -> Bool {
        guard self.status.isOpen else { return false }
        (self.status, self.userID) = (status, status == .named ? userID : "")
        return true
    }

    /// Takes a right PIN.
    /// - Parameters:
    ///   - authOTT: that of a device that waits for the browser; nil for one that does not.
    ///   - deadline: the end of that wait.
    /// - Returns: false when another device was faster.
    mutating func prove(
        _ user: String, waiting authOTT: OneTimeToken? = nil, until deadline: WallTime? = nil,
        isRepeatable: Bool = false
    ) -> Bool {
        guard isOpenForLogin, isFor(user), status.isOpen || userID == user else { return false }
        // The second login of a device logs no other browser in.
        if status != .admitted { status = .proved }
        (userID, waiting, self.deadline, self.isRepeatable) = (user, authOTT, deadline, isRepeatable)
        return true
    }

    /// Takes a signature.
    mutating func sign(_ user: String, _ signature: String) -> Bool {
        guard status.isOpen else { return false }
        (status, userID, self.signature) = (.signed, user, signature)
        return true
    }

    /// Whether the page may log its browser in.
    package func isAdmissible(at now: WallTime) -> Bool {
        status == .proved && (deadline.map { now < $0 } ?? true)
    }

    /// Notes that the page has logged a browser in.
    /// - Parameter token: with this the device may log the browser out.
    /// - Returns: false for any other browser than the first, and when the device has stopped waiting.
    package mutating func admit(_ token: OneTimeToken, offersLogout: Bool, now: WallTime) -> Bool {
        if isAdmissible(at: now) { (status, browser, self.offersLogout) = (.admitted, token, offersLogout) }
        return status == .admitted && browser == token
    }

    /// There was no room for the browser. The device that waits gets 503, and its code is valid again.
    package mutating func reopen() {
        if status == .proved, waiting != nil { (status, waiting, deadline) = (.named, nil, nil) }
    }

    /// Ends a session that is open, or whose device has stopped waiting.
    /// - Parameter authOTT: that of the device; nil for none.
    /// - Returns: whether it has ended now.
    mutating func end(waiting authOTT: OneTimeToken? = nil) -> Bool {
        guard authOTT == nil ? status.isOpen : isWaiting(authOTT) else { return false }
        status = .ended
        return true
    }

    /// Whether the device with this authOTT waits for the browser.
    func isWaiting(_ authOTT: OneTimeToken?) -> Bool { status == .proved && waiting == authOTT }
}
