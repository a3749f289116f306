// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import CurlTransport
import HostIntegration
import LoginValues
import MPinClient

/// The trust list, and on request whether its hosts answer.
struct TrustProbe {
    private static let patience = Duration.seconds(5)
    /// Hosts asked at the same time.
    private static let width = 8

    let configuration: KioskConfiguration
    let file: TrustFile

    func check(_ online: Bool) async throws -> CheckResult {
        let allowsHTTP = configuration.flag("network.allow-loopback-http")
        guard online, let services = try? file.services() else {
            return TrustCheck.judge(file, allowsLoopbackHTTP: allowsHTTP)
        }
        // A wildcard names no host that could be asked. What stands behind arrows is asked as well, once.
        var named: [TrustEntry] = []
        for entry in services.flatMap({ [$0.entry] + $0.targets })
        where !entry.coversSubdomains && !named.contains(entry) { named.append(entry) }
        return TrustCheck.judge(
            file, unreachable: try await unreachable(named), allowsLoopbackHTTP: allowsHTTP)
    }

    private func unreachable(_ entries: [TrustEntry]) async throws -> [String] {
        let transport: CurlHTTPTransport
        do {
            transport = try CurlHTTPTransport(
                CurlHTTPTransport.Configuration(authorityFile: configuration.text("network.ca-file")))
        } catch { throw Complaint.make("\(error)", status: .configuration) }
        let silent = await withTaskGroup(of: String?.self) { group in
            var silent: [String] = []
            for (index, entry) in entries.enumerated() {
                if index >= TrustProbe.width, let result = await group.next(), let result { silent.append(result) }
                group.addTask { await answers(entry, transport) ? nil : entry.description }
            }
            for await result in group {
                if let result { silent.append(result) }
            }
            return silent.sorted()
        }
        await transport.shutdown()
        return silent
    }

    /// Any reply at all: what a service says to a stranger at `/` does not matter.
    private func answers(_ entry: TrustEntry, _ transport: CurlHTTPTransport) async -> Bool {
        let allowsHTTP = configuration.flag("network.allow-loopback-http")
        let schemes = ["https"] + (allowsHTTP ? ["http"] : [])
        for scheme in schemes {
            guard let url = try? WebAddress("\(scheme)://\(entry.host):\(entry.port)/"),
                TrustPolicy(entries: [entry], allowsLoopbackHTTP: allowsHTTP).allows(url.origin)
            else { continue }
            let request = HTTPRequest(.get, url, deadline: TrustProbe.patience)
            do throws(HTTPTransportError) {
                _ = try await transport.send(request)
                return true
            } catch  where error.code == .replyTooLong {
                return true
            } catch {}
        }
        return false
    }
}
