// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KioskPorts
import LoginValues
import MPinClient
import LinuxSystem

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

    private enum Answer {
        case opened
        /// - Parameter mayHaveOpened: whether the server may have opened the door.
        case failed(String, isWorthRepeating: Bool, mayHaveOpened: Bool)
    }

    func carryOut(_ opening: Opening) async throws(DoorFailure) {
        if case .refused(let refusal) = trust.check(url.origin) {
            throw DoorFailure(
                .broken, "\(url.origin): the trust policy refuses this host (\(refusal.rawValue)): add it to the list")
        }
        let request = try request(for: opening)
        guard case .failed(let first, let isWorthRepeating, let mayHaveOpened) = await ask(request) else { return }
        guard isWorthRepeating else { throw DoorFailure(mayHaveOpened ? .unknown : .broken, first) }
        do { try await time.sleep(Self.retryPause) } catch { throw DoorFailure(.unknown, "\(first); no time for more") }
        guard case .failed(let second, _, let mayNowHaveOpened) = await ask(request) else { return }
        throw DoorFailure(mayHaveOpened || mayNowHaveOpened ? .unknown : .broken, second)
    }

    private func ask(_ request: HTTPRequest) async -> Answer {
        do throws(HTTPTransportError) {
            let response = try await transport.send(request, trusting: trust)
            switch response.status {
            case 200..<300: return .opened
            case 408, 429, 500...:
                return .failed(
                    "\(url.origin) answered \(response.status)", isWorthRepeating: true,
                    mayHaveOpened: response.status >= 500)
            default:
                return .failed(
                    "\(url.origin) answered \(response.status)", isWorthRepeating: false, mayHaveOpened: false)
            }
        } catch {
            return .failed(
                "\(url.origin): no reply: \(error.code.rawValue): \(error.detail)",
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
