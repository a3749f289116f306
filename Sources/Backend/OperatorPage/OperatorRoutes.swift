// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
package import Hummingbird
import LinuxSystem
package import Logging
package import MPinServer
import Sealing

/// The operator's page, below `/operator` of the origin: behind a password, without scripts, in the browser's language.
package struct OperatorRoutes: Sendable {
    private let sessions: OperatorSessions
    private let site: SiteDescription
    private let cookie: SiteCookie
    private let logger: Logger

    package init(sessions: OperatorSessions, site: SiteDescription, logger: Logger) {
        self.sessions = sessions
        self.site = site
        self.logger = logger
        cookie = SiteCookie(
            name: "login_kiosk_operator", path: OperatorPages.path, url: { try await site.publicURL.value },
            sameSite: .strict)
    }

    package func add(to router: Router<BasicRequestContext>) {
        let group = router.group("\(OperatorPages.path)")
            .add(middleware: OperatorProblemMiddleware(logger: logger))
            .add(middleware: OperatorGuardMiddleware(site: site))
        group.get("\(OperatorPages.styleSheet)") { _, _ in
            Response.content(PackageResources.operator_css, type: "text/css; charset=UTF-8")
        }
        addSession(to: group)
        addList(to: group)
        addActions(to: group)
    }

    private func addSession(to group: RouterGroup<BasicRequestContext>) {
        group.post("login") { request, _ in
            let fields = try await request.formFields()
            do {
                let token = try await sessions.logIn(fields?["password"] ?? "")
                return try await cookie.set(.session(token), on: Response.redirect(to: OperatorPages.path))
            } catch let refusal as Refusal where refusal.code == 401 || refusal.code == 429 {
                let problem = refusal.code == 401 ? PageWord.wrongPassword : .tooManyPasswords
                var response = Response.html(request.operatorPages.login(problem), status: refusal.status)
                response.headers.append(contentsOf: refusal.fields)
                return response
            }
        }
        group.post("logout") { request, _ in
            let (session, fields) = try await form(of: request)
            try Self.check(fields["token"], session.token())
            try await sessions.logOut(cookie.token(of: request))
            return Response.redirect(to: OperatorPages.path)
        }
    }

    private func addList(to group: RouterGroup<BasicRequestContext>) {
        group.get("/") { request, _ in
            let pages = request.operatorPages
            guard let session = try await sessions.session(of: cookie.token(of: request)) else {
                return Response.html(pages.login())
            }
            let query = try request.queryFields()
            let view = OperatorView(query)
            let content = OperatorPages.Content(
                view: view, list: try await sessions.state.users(view.search, at: edge(of: view)),
                counts: try await sessions.userCounts(),
                activity: view == OperatorView() ? try await sessions.state.activity() : nil,
                report: query["done"].flatMap { sessions.links.report($0) }, admitsNobody: site.registrations == .nobody
            )
            return Response.html(pages.list(content, for: session, links: sessions.links))
        }
    }

    private func addActions(to group: RouterGroup<BasicRequestContext>) {
        group.get("revoke") { request, _ in
            let pages = request.operatorPages
            guard let session = try await sessions.session(of: cookie.token(of: request)) else {
                return Response.html(pages.login())
            }
            let query = try request.queryFields()
            guard let user = query["user"].flatMap({ try? UserID($0) }), let identity = query["identity"] else {
                throw Refusal.invalidData
            }
            guard let found = try await sessions.state.user(user.text, fingerprint: identity) else {
                throw Refusal(404, "No such identity")
            }
            return Response.html(pages.question(about: found, OperatorView(query), for: session))
        }
        group.post("identities") { request, _ in
            let (session, fields) = try await form(of: request)
            guard let user = fields["user"], let identity = fields["identity"] else { throw Refusal.invalidData }
            try Self.check(fields["token"], session.token(forUser: user, fingerprint: identity))
            guard let action = fields["action"].flatMap({ OperatorAction(rawValue: $0) }),
                let userID = try? UserID(user)
            else { throw Refusal.invalidData }
            guard try await sessions.perform(action, on: userID, fingerprint: identity) else {
                throw Refusal(404, "No such identity")
            }
            let view = FormFields(fields["view"] ?? "").map { OperatorView($0) } ?? OperatorView()
            let done = sessions.links.text(of: OperatorReport(action: action, userID: userID.text)).map { "done=" + $0 }
            let query = [view.query, done ?? ""].filter { !$0.isEmpty }.joined(separator: "&")
            return Response.redirect(to: OperatorPages.path + (query.isEmpty ? "" : "?" + query))
        }
    }

    /// The position in a list. One that this backend did not seal means the beginning.
    private func edge(of view: OperatorView) -> UserQuery.Edge {
        switch view.edge {
        case .after(let text): sessions.links.place(text).map { .after($0) } ?? .first
        case .before(let text): sessions.links.place(text).map { .before($0) } ?? .first
        case nil: .first
        }
    }

    /// Reads a form of a browser that is logged in.
    /// - Throws: `Refusal` 401 for any other browser, 400.
    private func form(of request: Request) async throws -> (session: OperatorSession, fields: FormFields) {
        guard let session = try await sessions.session(of: cookie.token(of: request)) else {
            throw Refusal(401, "Log in first")
        }
        guard let fields = try await request.formFields() else { throw Refusal.invalidData }
        return (session, fields)
    }

    /// - Throws: `Refusal` 403 for a form of another page or another identity.
    private static func check(_ token: String?, _ expected: String) throws {
        guard let token, Digest.equal(Array(token.utf8), Array(expected.utf8)) else {
            throw Refusal(403, "Not a form of this page")
        }
    }
}

extension Request {
    /// The pages in the browser's language.
    fileprivate var operatorPages: OperatorPages {
        OperatorPages(words: PageWords.chosen(by: headers[.acceptLanguage]))
    }
}

/// Shows errors on the operator's own page, and sets a stricter policy than other pages have.
private struct OperatorProblemMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    /// Allows pictures and style of this site, and forms to it.
    private static let contentSecurityPolicy =
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"

    let logger: Logger

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let refusal as Refusal {
            let word = refusal.word(on: request.method)
            response = Response.html(request.operatorPages.problem(word), status: refusal.status)
            response.headers.append(contentsOf: refusal.fields)
        } catch BackendError.database(let reason) {
            response = withoutStorage(request, reason)
        } catch let error as StorageError {
            response = withoutStorage(request, error.reason)
        }
        response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        return response
    }

    private func withoutStorage(_ request: Request, _ reason: String) -> Response {
        logger.error("the operator's page cannot be shown", metadata: ["storage": "\(reason)"])
        return Response.html(request.operatorPages.problem(.noStorage), status: .serviceUnavailable)
    }
}

extension Refusal {
    fileprivate func word(on method: HTTPRequest.Method) -> PageWord {
        switch code {
        case 400: .badRequest
        case 401: .loginOver
        // A GET request has no form.
        case 403: method == .get ? .foreignAddress : .foreignForm
        case 404: .noSuchIdentity
        case 503: .noStorage
        default: .wentWrong
        }
    }
}
