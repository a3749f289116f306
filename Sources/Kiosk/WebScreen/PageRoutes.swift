// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HTTPTypes
import Hummingbird
import KioskPorts
import NIOCore
import Signage

/// The page, its stream of events, and its keys if there are any.
struct PageRoutes: Sendable {
    let hub: PageHub
    let token: PageToken
    let visitors: PageVisitors
    let keypad: PageKeypad?

    func add(to router: Router<PageContext>) {
        let (hub, token, visitors, hasKeys) = (hub, token, visitors, keypad != nil)
        router.get("/") { _, _ in PageRoutes.page(hasKeys: hasKeys) }
        // The contents of screen and camera are for the kiosk's own user, and for users who were given the token.
        router.get("events") { request, context in
            guard token.admits(request.headers) || visitors.isOwn(context.channel) else {
                return try PageRoutes.refusal(in: hub.languages)
            }
            return PageRoutes.events(of: hub)
        }
        guard let keypad else { return }
        router.post("key") { request, _ in
            guard token.admits(request.headers) else { return PageGuard.refusal(.forbidden) }
            return try await PageRoutes.press(request.body, on: keypad)
        }
    }

    private static func press(_ name: RequestBody, on keypad: PageKeypad) async throws -> Response {
        // The body is so short that it soon ends even if it comes byte by byte.
        let body: ByteBuffer
        do { body = try await name.collect(upTo: PageKey.maximumLength) } catch is NIOTooManyBytesError {
            return PageGuard.refusal(.contentTooLarge)
        } catch let error where !(error is CancellationError) {
            // The body broke off, or its chunks have wrong lengths.
            return PageGuard.refusal(.badRequest)
        }
        guard let key = PageKey(name: String(buffer: body)) else { return PageGuard.refusal(.badRequest) }
        keypad.press(key.key)
        return Response(status: .noContent)
    }

    private static func page(hasKeys: Bool) -> Response {
        let nonce = PageDocument.nonce()
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy: PageDocument.contentSecurityPolicy(nonce: nonce),
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: PageDocument.html(nonce: nonce, hasKeys: hasKeys))))
    }

    /// A view that the page shows in place of the kiosk's, without any information.
    private static func refusal(in languages: Languages) throws -> Response {
        let view = KioskView(
            .stopped, .trouble, title: Prompt(.pageOfAnotherUser),
            lines: [Prompt(.pageOfAnotherUserHelp)])
        let text = try JSONEncoder().encode(PageView(view, in: languages, shownFor: .zero))
        return Response(
            status: .forbidden, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: text)))
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
