// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BackendHTTP

/// The actions of a connection after each event.
@Suite struct ConnectionStateTests {
    typealias Step = (event: ConnectionState.StreamEvent, actions: [ConnectionState.StreamAction])

    private static let stream = ObjectIdentifier(ConnectionStateTests.self)
    private static let other = ObjectIdentifier(ConnectionState.self)
    private static let head = ConnectionState.StreamEvent.head(expectsContinue: false)

    private static let request: [Step] = [
        (head, [.connection(.setDeadline(nil)), .pass]),
        (.end, [.connection(.protect(true)), .setBodyDeadline(nil), .pass]),
    ]
    private static let answer: Step = (
        .answered,
        [.connection(.protect(false)), .connection(.setDeadline(ConnectionState.idleDeadline))]
    )

    @Test(
        arguments: [
            ("a request", request + [answer, (.written, [])]),
            (
                "two in a row; the third waits in the socket",
                request + [
                    (head, [.connection(.setDeadline(nil)), .pass]), (.read, []),
                    (.end, [.connection(.protect(true)), .setBodyDeadline(nil), .pass]),
                    (.answered, [.connection(.protect(true)), .read]), answer, (.read, [.read]),
                ]
            ),
            (
                "a body that is asked for once the request before is answered",
                request + [
                    (.head(expectsContinue: true), [.connection(.setDeadline(nil)), .pass]),
                    (.answered, [.connection(.protect(false)), .askForBody]),
                ]
            ),
            (
                "a slow body",
                [
                    request[0], (.readComplete, [.setBodyDeadline(ConnectionState.bodyDeadline)]),
                    (.readComplete, []), (.bodyDeadlinePassed, [.fail(.tooSlow)]), (.body, []), (.end, []), (head, []),
                    (.answered, [.connection(.setDeadline(ConnectionState.idleDeadline))]), (.written, [.close]),
                ]
            ),
            (
                "a slow body that was answered",
                [
                    request[0], (.readComplete, [.setBodyDeadline(ConnectionState.bodyDeadline)]),
                    (.answered, [.connection(.setDeadline(ConnectionState.idleDeadline))]), (.written, []),
                    (.bodyDeadlinePassed, [.close]),
                ]
            ),
            ("a body that is cut short", [request[0], (.inputClosed, [.fail(.cutShort)]), (.inputClosed, [])]),
            (
                "a long poll whose client asks again",
                request + [
                    (.hold, [.connection(.protect(false))]),
                    (head, [.connection(.setDeadline(nil)), .release, .pass]),
                    (.holdEnds, [.connection(.protect(true))]),
                ]
            ),
            (
                "a long poll whose client leaves",
                request + [(.hold, [.connection(.protect(false))]), (.failed, [.release])]
            ),
            (
                "a long poll whose client has left",
                request + [(.inputClosed, []), (.hold, [.connection(.protect(false)), .release])]
            ),
            (
                "a client that does not read",
                request + [
                    (.writable(false), [.connection(.protect(false))]),
                    (.writable(true), [.connection(.protect(true))]),
                ]
            ),
            (
                "a connection that fails",
                request + [
                    (
                        .closed,
                        [
                            .connection(.protect(false)),
                            .connection(.setDeadline(ConnectionState.idleDeadline)), .setBodyDeadline(nil),
                        ]
                    )
                ]
            ),
        ] as [(String, [Step])])
    func steps(_ name: String, _ steps: [Step]) {
        var state = ConnectionState()
        #expect(state.handle(.opened) == [.setDeadline(ConnectionState.firstHeadDeadline)])
        for (number, step) in steps.enumerated() {
            #expect(state.handle(step.event, of: Self.stream) == step.actions, "\(name), step \(number)")
        }
    }

    /// The end of a server waits for the requests of all streams, and no other begins.
    @Test func theEndOfAServer() {
        var state = ConnectionState()
        for stream in [Self.stream, Self.other] { _ = state.handle(Self.head, of: stream) }
        #expect(state.handle(.serverEnds) == [.setDeadline(ConnectionState.farewellDeadline)])
        #expect(state.handle(.serverEnds).isEmpty)
        #expect(state.handle(.deadlinePassed).isEmpty)
        #expect(state.handle(Self.head, of: Self.other) == [.close])
        #expect(state.handle(.answered, of: Self.stream).isEmpty && state.handle(.written, of: Self.stream).isEmpty)
        #expect(
            state.handle(.closed, of: Self.other) == [
                .connection(.setDeadline(ConnectionState.farewellDeadline)), .fail(.cutShort), .setBodyDeadline(nil),
                .connection(.close),
            ])
    }

    /// An answer that is queued is sent before the connection ends.
    @Test func theEndOfAServerWaitsForQueuedAnswers() {
        var state = ConnectionState()
        for _ in 0..<2 {
            for event in [Self.head, .end] { _ = state.handle(event, of: Self.stream) }
        }
        _ = state.handle(.serverEnds)
        #expect(state.handle(.deadlinePassed).isEmpty)
        for _ in 0..<2 { _ = state.handle(.answered, of: Self.stream) }
        #expect(state.handle(.written, of: Self.stream).isEmpty)
        #expect(state.handle(.written, of: Self.stream) == [.connection(.close)])
    }

    @Test func aConnectionThatIsNotUsed() {
        var state = ConnectionState()
        #expect(state.handle(.deadlinePassed) == [.close])
        #expect(state.handle(Self.head, of: Self.stream) == [.close])
    }
}
