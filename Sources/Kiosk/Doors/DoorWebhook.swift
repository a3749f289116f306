// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KioskPorts
import LinuxSystem
import LoginValues
import MPinClient

/// Another server that opens the door: `POST` of `{"id", "door", "userID", "time"}` as JSON, answered with 200 to 299.
///
/// A request is repeated once, with the same `Idempotency-Key`, if there was no answer or the server was temporarily
/// unable. The server opens once, even if both arrive.
struct DoorWebhook: DoorAction {
    static let limit = Duration.seconds(5)
    static let retryPause = Duration.seconds(1)

    let url: WebAddress
    /// Sent as `Authorization: Bearer`; visible ASCII.
    let token: SecretBytes?
    let transport: any HTTPTransport
    let trust: TrustPolicy
    let time: Timekeeper

    private struct Failure {
        let detail: String
        let isWorthRepeating: Bool
        /// Whether the server may have opened the door.
        let mayHaveOpened: Bool
    }

    func carryOut(_ opening: Opening) async throws(DoorFailure) {
        if case .refused(let refusal) = trust.check(url.origin) {
            throw DoorFailure(
                .broken, "\(url.origin): the trust policy refuses this host (\(refusal.rawValue)): add it to the list")
        }
        let request = try request(for: opening)
        guard let first = await send(request) else { return }
        guard first.isWorthRepeating else { throw DoorFailure(first.mayHaveOpened ? .unknown : .broken, first.detail) }
        do { try await time.sleep(Self.retryPause) } catch {
            throw DoorFailure(.unknown, "\(first.detail); no time for more")
        }
        guard let second = await send(request) else { return }
        throw DoorFailure(first.mayHaveOpened || second.mayHaveOpened ? .unknown : .broken, second.detail)
    }

    /// - Returns: nil when the server opened the door.
    private func send(_ request: HTTPRequest) async -> Failure? {
        do throws(HTTPTransportError) {
            let status = try await transport.send(request, trusting: trust).status
            guard !(200..<300).contains(status) else { return nil }
            return Failure(
                detail: "\(url.origin) answered \(status)",
                isWorthRepeating: status == 408 || status == 429 || status >= 500, mayHaveOpened: status >= 500)
        } catch {
            return Failure(
                detail: "\(url.origin): no reply: \(error.code.rawValue): \(error.detail)",
                isWorthRepeating: error.code != .cancelled && error.code != .serverKeyRefused,
                mayHaveOpened: error.requestMayHaveBeenSent)
        }
    }

    private func request(for opening: Opening) throws(DoorFailure) -> HTTPRequest {
        let message = Message(
            id: opening.id, door: opening.door, userID: opening.userID,
            time: Date(timeIntervalSince1970: Double(opening.time)).formatted(.iso8601))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(message) else {
            throw DoorFailure(.broken, "no message can be made for this identity")
        }
        var headers = [
            HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"),
            HTTPHeader("Idempotency-Key", opening.id),
        ]
        if let token {
            // The transport takes headers as text. This one is the operator's secret, not a person's.
            headers.append(HTTPHeader("Authorization", "Bearer " + token.withBytes(Self.text)))
        }
        return HTTPRequest(.post, url, headers: headers, body: SecretBytes(copying: Array(body)), deadline: Self.limit)
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    private struct Message: Encodable {
        let id: String
        let door: String
        let userID: String
        let time: String
    }
}
