// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
import OpenIDProvider
import Sealing

extension AuthorizationAnswer {
    /// The response that sends the browser on to the application.
    func response(_ pages: Pages) -> Response {
        switch mode {
        case .query: return Response.redirect(to: location)
        case .formPost:
            var response = Response.html(pages.formPost(self))
            // Stricter than the policy of other pages, except that the form may be sent to the application, and only
            // there.
            response.headers[.contentSecurityPolicy] =
                "default-src 'none'; script-src '\(Pages.submittingHash)'; style-src 'self'; img-src 'self'; "
                + "form-action \(formSource); base-uri 'none'; frame-ancestors 'none'"
            return response
        }
    }
}

extension Pages {
    private static let submitting = "document.forms[0].submit()"
    static let submittingHash = "sha256-" + Base64.text(Digest.sha256(Array(submitting.utf8)))

    /// The page whose form posts the answer to the application. Without scripts the person presses its button.
    func formPost(_ answer: AuthorizationAnswer) -> String {
        page(
            words(.returnTitle),
            """
            <p>\(words(.returning))</p>
            <form method="post" action="\(HTMLText.escaped(answer.redirectURI))">
            \(HTMLText.hidden(answer.fields))
            <button type="submit">\(words(.goOn))</button>
            </form>
            <script>\(Self.submitting)</script>
            """)
    }
}
