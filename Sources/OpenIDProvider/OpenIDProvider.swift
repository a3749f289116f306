// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import WebTokens

/// The OpenID provider of one place: it judges what applications ask for, and once a person has logged in the
/// applications learn who it was. Authorization code flow with PKCE alone (OpenID Connect Core, section 3.1; RFC 7636).
///
/// How a person logs in, and what browsers are shown, is not its business: it is told who it was.
package struct OpenIDProvider: Sendable {
    /// Where its endpoints are, without a slash at the end. Known once the ports are bound.
    package let issuer: @Sendable () async throws -> String
    package let tokens: WebTokenIssuer
    /// Relying parties that have the state directory's credentials, without the page of the place's own web site.
    let site: OpenIDClient
    /// Of that web site, below the issuer: where browsers go on.
    let sitePath: String
    let publicClients: [OpenIDClient]
    /// Where devices log in to applications; nil in dialects that have no codes for them.
    let applicationLogins: ApplicationLogins?
    let clock: any WallClock

    // A restart forgets them: browsers begin anew.
    let applicationRequests: any VolatileTable<String, AuthorizationRequest>
    package let grantsName: String
    let grants: any VolatileTable<OneTimeToken, AuthorizationGrant>
    let accessGrants: any VolatileTable<OneTimeToken, AccessGrant>
    /// The access tokens that used codes gave.
    let redeemed: any VolatileTable<OneTimeToken, OneTimeToken>

    /// - Parameter place: what its tables are called by.
    package init(
        at place: String, issuer: @escaping @Sendable () async throws -> String, tokens: WebTokenIssuer,
        site: OpenIDClient, sitePath: String, publicClients: [OpenIDClient], applicationLogins: ApplicationLogins?,
        storage: any VolatileStorage, clock: any WallClock
    ) {
        self.issuer = issuer
        self.tokens = tokens
        self.site = site
        self.sitePath = sitePath
        self.publicClients = publicClients
        self.applicationLogins = applicationLogins
        self.clock = clock
        applicationRequests = storage.table(place + "/openid/authorization URLs")
        grantsName = place + "/openid/codes"
        grants = storage.table(grantsName, bounds: .ofPeople)
        accessGrants = storage.table(place + "/openid/access tokens", bounds: .ofPeople)
        redeemed = storage.table(place + "/openid/used codes", bounds: .ofPeople)
    }

    /// Relying parties that have the state directory's credentials, first of all the place's own web site.
    package var ownClient: OpenIDClient {
        get async throws {
            OpenIDClient(
                id: site.id, redirectURIs: [try await issuer() + sitePath] + site.redirectURIs, secret: site.secret)
        }
    }

    var clients: [OpenIDClient] {
        get async throws { [try await ownClient] + publicClients }
    }
}

/// An application that lets its users log in at one of this backend's places.
package struct OpenIDClient: Sendable {
    package let id: String
    /// Compared letter for letter.
    package let redirectURIs: [String]
    /// Nil for a public client, which cannot keep one.
    let secret: SecretBytes?

    package init(id: String, redirectURIs: [String], secret: SecretBytes? = nil) {
        self.id = id
        self.redirectURIs = redirectURIs
        self.secret = secret
    }

    /// - Parameter secret: nil from a client that brings none, as public ones do.
    func admits(_ secret: String?) -> Bool {
        guard let known = self.secret, let secret else { return self.secret == nil && secret == nil }
        return known.withBytes { Digest.equal(Array(secret.utf8), Array($0)) }
    }
}
