// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import CommandLineInterface
import HostIntegration
import KioskRuntime
import MPinClient
import MetricsService

/// The work that answers status requests of the operator and their tools.
struct OperatorWork {
    let work: [LastingWork]

    init(
        _ configuration: KioskConfiguration, _ parts: KioskParts, _ places: DirectoryOptions, health: KioskHealth,
        metrics: KioskMetrics, trail: AuditTrail?
    ) throws {
        let answers = KioskStatus.answers(health, metrics, trail: trail)
        var servers = [MetricsServer.Endpoint.socket(try places.directories(in: configuration).statusSocket)]
        if let port = configuration[\.metricsPort] { servers.append(.port(port)) }
        let sdk = parts.sdk
        work =
            servers.map { endpoint in
                LastingWork { try await MetricsServer(at: endpoint, answers, logger: parts.logger).run() }
            } + [metrics.work { await sdk.ownIdentityCount }.andThenWaiting]
    }
}
