// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore

/// The page, its stream of events, and its keys if there are any.
struct PageRoutes: Sendable {
    let hub: PageHub
    let keypad: PageKeypad?

    private static let tokenHeader = HTTPField.Name("X-Kiosk-Token")

    func add(to router: Router<BasicRequestContext>) {
        router.get("/") { _, _ in PageRoutes.page() }
        let hub = hub
        router.get("events") { _, _ in PageRoutes.events(of: hub) }
        guard let keypad else { return }
        // A header of its own and no answer to the question whether another site may send it: only this page can.
        router.post("key") { request, _ in
            guard let name = PageRoutes.tokenHeader, let claim = request.headers[name], keypad.admits(claim) else {
                return PageGuard.refusal(.forbidden)
            }
            // So short that it is over soon even when it comes a byte at a time.
            let body: ByteBuffer
            do { body = try await request.body.collect(upTo: PageKey.maximumLength) } catch is NIOTooManyBytesError {
                return PageGuard.refusal(.contentTooLarge)
            }
            guard let key = PageKey(name: String(buffer: body)) else { return PageGuard.refusal(.badRequest) }
            keypad.press(key.key)
            return Response(status: .noContent)
        }
    }

    private static func page() -> Response {
        let nonce = PageDocument.nonce()
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy: PageDocument.contentSecurityPolicy(nonce: nonce),
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: PageDocument.html(nonce: nonce))))
    }

    private static func events(of hub: PageHub) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                let (watcher, wakings) = hub.watch()
                defer { hub.leave(watcher) }
                var progress = PageHub.Progress()
                try await writer.write(ByteBuffer(string: PageEvent.opening))
                for await _ in wakings {
                    let text = try hub.news(after: &progress).map { try $0.text() }.joined()
                    try await writer.write(ByteBuffer(string: text))
                }
                try await writer.finish(nil)
            })
    }
}
