// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore

extension Request {
    static let largestBody = 64 * 1024
    private static let bodyDeadline = Duration.seconds(15)

    /// The whole body, up to 64 KiB and within 15 seconds: bytes that trickle in one by one do not keep a connection.
    /// - Throws: `Refusal` 413 or 408.
    func wholeBody() async throws -> [UInt8] {
        let body = body
        return try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask {
                do {
                    return [UInt8](try await body.collect(upTo: Self.largestBody).readableBytesView)
                } catch is NIOTooManyBytesError {
                    throw Refusal(413, "Body too large")
                }
            }
            group.addTask {
                try await Task.sleep(for: Self.bodyDeadline)
                throw Refusal(408, "Body too slow")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
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
