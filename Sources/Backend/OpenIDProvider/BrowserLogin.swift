// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import WebTokens

/// A login that a browser has behind it, for further applications.
package struct BrowserLogin: Codable, Sendable {
    package let userID: String
    /// When the PIN was right.
    package let authenticated: WallTime

    package init(userID: String, authenticated: WallTime) {
        (self.userID, self.authenticated) = (userID, authenticated)
    }
}

/// The wishes of an application about logins that a browser has behind it. OpenID Connect Core, section 3.1.2.1.
struct LoginWishes: Sendable {
    let prompts: Set<String>
    /// In seconds; nil for any age, and for a text that is no number of seconds.
    let maximumAge: UInt32?
    /// An ID token of the user whom the application means.
    let hint: String?

    init(_ fields: FormFields) {
        prompts = Set((fields["prompt"] ?? "").split(separator: " ").map(String.init))
        maximumAge = fields["max_age"].flatMap { UInt32($0) }
        hint = fields["id_token_hint"]
    }

    /// Whether the person is asked anew, whatever the browser has behind it.
    var wantsPerson: Bool { !prompts.isDisjoint(with: ["login", "consent", "select_account"]) }

    var allowsNoPage: Bool { prompts.contains("none") }
}

extension OpenIDProvider {
    /// Whether `login` does for an application with these wishes.
    func mayReuse(_ login: BrowserLogin, for wishes: LoginWishes) async throws -> Bool {
        if wishes.wantsPerson { return false }
        if let age = wishes.maximumAge, login.authenticated + .seconds(Int64(age)) <= clock.now { return false }
        if let hint = wishes.hint {
            // A token that has expired still says who is meant.
            let token: IdentityToken? = await WebTokenVerifier(keySet: tokens.keySet)
                .payload(of: hint, at: WallTime(seconds: 0))
            guard token?.userID == login.userID else { return false }
        }
        return try await refreshing.mayLogIn(login.userID)
    }
}
