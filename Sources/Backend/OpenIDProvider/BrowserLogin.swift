// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding

/// A browser's login, which serves further applications as well.
package struct BrowserLogin: Codable, Sendable {
    package let userID: String
    /// The time when the PIN was verified.
    package let authenticated: WallTime

    package init(userID: String, authenticated: WallTime) {
        (self.userID, self.authenticated) = (userID, authenticated)
    }
}

/// An application's parameters about a login that the browser already has. OpenID Connect Core, section 3.1.2.1.
struct LoginWishes: Sendable {
    let prompts: Set<String>
    /// Seconds; nil for any age, and for a text that is not a number of seconds.
    let maximumAge: UInt32?
    /// An ID token of the user that the application expects.
    let hint: String?

    init(_ fields: FormFields) {
        prompts = Set((fields["prompt"] ?? "").split(separator: " ").map(String.init))
        maximumAge = fields["max_age"].flatMap { UInt32($0) }
        hint = fields["id_token_hint"]
    }

    /// Whether the person must be asked again although the browser is logged in.
    var wantsPerson: Bool { !prompts.isDisjoint(with: ["login", "consent", "select_account"]) }

    var allowsNoPage: Bool { prompts.contains("none") }
}

extension OpenIDProvider {
    /// Whether `login` satisfies an application with these parameters.
    func mayReuse(_ login: BrowserLogin, for wishes: LoginWishes) async throws -> Bool {
        if wishes.wantsPerson { return false }
        if let age = wishes.maximumAge, login.authenticated + .seconds(Int64(age)) <= clock.now { return false }
        if let hint = wishes.hint {
            // An expired token still names the user.
            let token: IdentityToken? = await WebTokenVerifier(keySet: tokens.keySet)
                .payload(of: hint, at: WallTime(seconds: 0))
            guard token?.names(login.userID) == true else { return false }
        }
        return try await mayLogIn(login.userID)
    }
}
