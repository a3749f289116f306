// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import CurlTransport
import HostIntegration
import LoginValues
import MPinClient

/// Checks the trust list and, on request, whether its hosts answer.
struct TrustProbe {
    private static let patience = Duration.seconds(5)
    /// The number of hosts asked at the same time.
    private static let width = 8

    let configuration: KioskConfiguration
    let file: TrustFile

    func check(_ online: Bool) async throws -> CheckResult {
        let allowsHTTP = configuration[\.network.allowsLoopbackHTTP]
        guard online, let services = try? file.services() else {
            return TrustCheck.result(file, allowsLoopbackHTTP: allowsHTTP)
        }
        // A wildcard names no host to ask. Delegated hosts are asked as well, once.
        var named: [TrustEntry] = []
        for entry in services.flatMap({ [$0.entry] + $0.targets })
        where !entry.coversSubdomains && !named.contains(entry) { named.append(entry) }
        let answers = try await answers(
            of: named, TrustPolicy(lines: services, allowsLoopbackHTTP: allowsHTTP))
        return TrustCheck.result(
            file, answers: named.compactMap { entry in answers[entry].map { ("\(entry)", $0) } },
            allowsLoopbackHTTP: allowsHTTP)
    }

    private typealias Answer = TrustCheck.Answer

    private func answers(of entries: [TrustEntry], _ policy: TrustPolicy) async throws -> [TrustEntry: Answer] {
        let transport: CurlHTTPTransport
        do {
            transport = try CurlHTTPTransport(configuration.transport)
        } catch { throw Complaint.make("\(error)", status: .configuration) }
        let answers = await withTaskGroup(of: (TrustEntry, Answer).self) { group in
            var answers: [TrustEntry: Answer] = [:]
            for (index, entry) in entries.enumerated() {
                if index >= TrustProbe.width, let (asked, answer) = await group.next() { answers[asked] = answer }
                group.addTask { (entry, await answer(of: entry, policy, transport)) }
            }
            for await (asked, answer) in group { answers[asked] = answer }
            return answers
        }
        await transport.shutdown()
        return answers
    }

    /// Requests a service's description, without a login. A service below another path may refuse it.
    private func answer(
        of entry: TrustEntry, _ policy: TrustPolicy, _ transport: CurlHTTPTransport
    ) async -> Answer {
        var answer = Answer.silence
        for scheme in ["https", "http"] {
            // A host that is only delegated to is not asked: the service that delegates has to name it.
            guard let url = try? WebAddress("\(scheme)://\(entry.host):\(entry.port)/service"),
                case .allowed = policy.check(url.origin, namedBy: url.origin)
            else { continue }
            let request = HTTPRequest(.get, url, deadline: TrustProbe.patience)
            do throws(HTTPTransportError) {
                let reply = try await transport.send(request, trusting: policy)
                let location = reply.headers.first { $0.name.lowercased() == "location" }?.value
                if let trouble = TrustCheck.trouble(entry.description, reply.status, location) {
                    return .trouble(trouble)
                }
                // A refusal means a service without a description, or with its description below another path.
                return reply.status >= 400 || reply.body.beginsAsObject ? .service : .page
            } catch {
                switch error.code {
                case .replyTooLong: return .service
                case .serverKeyRefused: return .otherKey
                case .tlsFailed: answer = .certificate(error.detail)
                case .transferFailed: answer = .trouble("\(entry) answers unlike a web server: \(error.detail)")
                default: break
                }
            }
        }
        return answer
    }
}

extension SecretBytes {
    fileprivate var beginsAsObject: Bool { trimmed.withBytes { !$0.isEmpty && $0[0] == UInt8(ascii: "{") } }
}
