// SPDX-License-Identifier: Apache-2.0

import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LinuxSystem
public import Logging
import NIOCore
public import ServiceLifecycle

/// The answers about the program's state.
public struct OperatorAnswers: Sendable {
    /// For `/metrics`.
    let metrics: @Sendable () -> [any Metric]
    /// For `/status`: a JSON object.
    let status: @Sendable () async throws -> [UInt8]
    /// For `/healthz`: the fault; nil when the program works.
    let ailment: @Sendable () -> String?

    public init(
        metrics: @escaping @Sendable () -> [any Metric], status: @escaping @Sendable () async throws -> [UInt8],
        ailment: @escaping @Sendable () -> String?
    ) {
        self.metrics = metrics
        self.status = status
        self.ailment = ailment
    }
}

/// Answers `GET /metrics`, `/status` and `/healthz` by HTTP, at a local socket or at a port of the loopback interface.
///
/// A client costs little: connections, heads and times are bounded, bodies are not read, and answers are small.
public final class MetricsServer: Service {
    public enum Endpoint: Sendable, Equatable {
        /// A path; its directory decides who may connect. A leftover socket there is removed.
        case socket(String)
        /// A port of 127.0.0.1; 0 for any free port.
        case port(Int)
    }

    struct Limits: Sendable {
        var connections = 16
        /// The time for a request's head, and between two requests.
        var idle = Duration.seconds(2)
        /// The time for a client to take a part of an answer.
        var stall = StallHandler.patience
    }

    private let endpoint: Endpoint
    private let answers: OperatorAnswers
    private let limits: Limits
    private let logger: Logger
    /// The bound port; 0 for a socket.
    let boundPort = Eventually<Int>()

    public convenience init(at endpoint: Endpoint, _ answers: OperatorAnswers, logger: Logger) {
        self.init(at: endpoint, answers, limits: Limits(), logger: logger)
    }

    init(at endpoint: Endpoint, _ answers: OperatorAnswers, limits: Limits, logger: Logger) {
        self.endpoint = endpoint
        self.answers = answers
        self.limits = limits
        self.logger = logger
    }

    private struct NotRunning: Error {}

    /// Serves until the task is cancelled or a graceful shutdown begins. If it cannot listen it logs that, and the
    /// program works without it.
    public func run() async throws {
        defer { boundPort.settle(.failure(NotRunning())) }
        do {
            try await application.runService(gracefulShutdownSignals: [])
        } catch let error as CancellationError {
            throw error
        } catch {
            boundPort.settle(.failure(error))
            logger.error(
                "metrics and status are not served", metadata: ["endpoint": "\(endpoint)", "reason": "\(error)"])
            try await gracefulShutdown()
        }
    }

    private var application: some ApplicationProtocol {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: AskedByName(isChecked: endpoint.isPort))
        let answers = answers
        router.get("metrics") { _, _ in
            MetricsServer.reply(.ok, MetricText.contentType, Array(MetricText.text(of: answers.metrics()).utf8))
        }
        router.get("status") { _, _ in
            MetricsServer.reply(.ok, "application/json", try await answers.status())
        }
        router.get("healthz") { _, _ in
            let ailment = answers.ailment()
            return MetricsServer.reply(
                ailment == nil ? .ok : .serviceUnavailable, "text/plain; charset=utf-8",
                Array("\(ailment ?? "ok")\n".utf8))
        }
        let (endpoint, boundPort, limits) = (endpoint, boundPort, limits)
        return Application(
            router: router,
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [StallHandler(patience: limits.stall)],
                    idleTimeout: TimeAmount(limits.idle),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 4096, maxHeaderListSize: 16384, maxHeaderFieldCount: 64))),
            configuration: ApplicationConfiguration(
                address: endpoint.address,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: quietLogger)),
            onServerRunning: { channel in
                // Overrides the umask, because the directory may be shared.
                if case .socket(let path) = endpoint { _ = unsafe chmod(path, 0o600) }
                boundPort.settle(.success(channel.localAddress?.port ?? 0))
            }, logger: quietLogger)
    }

    private static func reply(_ status: HTTPResponse.Status, _ type: String, _ body: [UInt8]) -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        headers[.xContentTypeOptions] = "nosniff"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// Hummingbird would log more than an operator has to know.
    private var quietLogger: Logger {
        var logger = logger
        if logger.logLevel > .debug { logger.logLevel = .critical }
        return logger
    }
}

extension MetricsServer.Endpoint {
    fileprivate var isPort: Bool { if case .port = self { true } else { false } }

    fileprivate var address: BindAddress {
        switch self {
        case .socket(let path): .unixDomainSocket(path: path)
        case .port(let port): .hostname("127.0.0.1", port: port)
        }
    }
}

/// A page of another site may let its name resolve to 127.0.0.1, and read the answer in a browser on this machine. Such
/// a request has that name in its `Host` field (DNS rebinding).
private struct AskedByName: RouterMiddleware {
    let isChecked: Bool

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        // The first one is the authority. A second one would make the request ambiguous (RFC 9112, section 3.2).
        if let name = HTTPField.Name("Host"), request.headers[name] != nil { return Response(status: .badRequest) }
        let host = request.head.authority?.lowercased().split(separator: ":").first ?? ""
        guard !isChecked || host == "127.0.0.1" || host == "localhost" else {
            return Response(status: .misdirectedRequest)
        }
        return try await next(request, context)
    }
}
