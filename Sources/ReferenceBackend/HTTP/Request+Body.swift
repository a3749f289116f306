// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import NIOPosix

extension Request {
    static let largestBody = 64 * 1024
    private static let bodyDeadline = TimeAmount.seconds(15)

    /// The whole body, up to 64 KiB and within 15 seconds: bytes that trickle in one by one do not keep a connection.
    /// - Throws: `Refusal` 413 or 408.
    func wholeBody() async throws -> [UInt8] {
        let body = body
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        // A task that is awaited right here, and a timer of the event loop: a task group with a sleeping second task takes
        // longer than all else that is done for a small body.
        let collecting = Task(executorPreference: EventLoopExecutor(loop)) {
            [UInt8](try await body.collect(upTo: Self.largestBody).readableBytesView)
        }
        let deadline = loop.scheduleTask(in: Self.bodyDeadline) { collecting.cancel() }
        defer { deadline.cancel() }
        let result = await withTaskCancellationHandler {
            await collecting.result
        } onCancel: {
            collecting.cancel()
        }
        try Task.checkCancellation()
        if collecting.isCancelled { throw Refusal(408, "Body too slow") }
        do { return try result.get() } catch is NIOTooManyBytesError { throw Refusal(413, "Body too large") }
    }

    /// The body as a JSON object.
    /// - Throws: `refusal` when it is none.
    func jsonObject(or refusal: Refusal = .invalidJSON) async throws -> JSONObject {
        guard let object = JSONObject(body: try await wholeBody()) else { throw refusal }
        return object
    }

    /// The query string's fields.
    /// - Throws: `Refusal` 400 for broken percent escapes.
    func queryFields() throws -> FormFields {
        guard let fields = FormFields(uri.query ?? "") else { throw Refusal.invalidData }
        return fields
    }
}
