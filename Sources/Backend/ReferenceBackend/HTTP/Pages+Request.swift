// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import HTTPTypes
import Hummingbird

extension Pages {
    /// The pages in the language that the request's browser prefers.
    func speaking(to request: Request) -> Pages {
        var pages = self
        pages.words = PageWords.chosen(by: request.headers[.acceptLanguage])
        return pages
    }

    /// An error page for a browser that opened an address; nil for a program, which gets JSON.
    func answer(_ refusal: Refusal, to request: Request) -> Response? {
        guard request.method == .get || request.method == .head,
            request.headers[.accept]?.contains("text/html") == true
        else { return nil }
        var response = Response.html(speaking(to: request).trouble(refusal.code), status: refusal.status)
        response.headers.append(contentsOf: refusal.fields)
        return response
    }
}
