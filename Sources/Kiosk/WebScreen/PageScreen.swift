// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import Logging
public import Signage
import LinuxSystem

/// A screen in a browser on the same machine.
///
/// ``run()`` serves it on the loopback interface. Views and pictures may come before and after. A browser that
/// connects, or reconnects, gets the newest view at once, and a slow one skips views.
public final class PageScreen: KioskScreen {
    /// The limits for all connections.
    struct Limits: Sendable {
        var connections = 64
        /// Connections of the kiosk's own user and root.
        var ownConnections = 32
        /// Connections of each other user of this machine.
        var strangersConnections = 8
        /// The time for a request's head, and between two requests. Within one machine this is plenty.
        var idle = Duration.seconds(2)
        /// The time for a browser to receive sent data.
        var stall = Duration.seconds(15)
        /// The time between two keep-alive messages on a stream without news; they reveal a browser that has gone.
        var beat = Duration.seconds(5)
    }

    /// The script scales the letters of a page to fit.
    public let documentRoom: DocumentPageSize? = .standard
    /// Any code fits the page; without a browser nobody sees it.
    public func hasRoom(for entry: ViewEntry) -> Bool { hub.isWatched }

    /// The keys on the page; nil when they are switched off.
    public let keypad: PageKeypad?
    /// Whether a browser watches, from now on, for one consumer. Without one the scanner need not send pictures.
    public let audience: AsyncStream<Bool>

    let hub: PageHub
    let token = PageToken()
    let visitors: PageVisitors
    let port: Int
    let limits: Limits
    let logger: Logger
    let boundPort = Eventually<Int>()
    private let previews: PreviewPacer

    /// - Parameters:
    ///   - port: of the loopback interface; 0 for any.
    ///   - languages: the view chooses the one that is shown.
    ///   - hasKeys: whether a browser that knows the token of this start may press keys.
    ///   - domains: of e-mail addresses, for a keyboard.
    public convenience init(
        port: Int, languages: Languages, hasKeys: Bool = false, domains: [String] = [], logger: Logger
    ) {
        self.init(
            port: port, languages: languages, hasKeys: hasKeys, domains: domains, limits: Limits(), logger: logger)
    }

    init(
        port: Int, languages: Languages, hasKeys: Bool, domains: [String] = [], limits: Limits,
        clock: some Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.port = port
        self.limits = limits
        self.logger = logger
        visitors = PageVisitors(ownShare: limits.ownConnections, strangersShare: limits.strangersConnections)
        keypad = hasKeys ? PageKeypad() : nil
        hub = PageHub(languages: languages, domains: domains, clock: clock)
        audience = hub.audience
        previews = PreviewPacer(clock: clock)
    }

    public func show(_ view: KioskView) async { hub.show(view) }

    /// Shows the camera's picture, while the view is that of scanning and a browser watches; at most six pictures a
    /// second.
    public func show(_ picture: PreviewPicture) {
        guard hub.wantsPreview, previews.admits() else { return }
        hub.show(jpeg: PreviewEncoder.jpeg(picture), outline: picture.outline)
    }

    /// The address for a browser of the kiosk's own user; waits until it is served.
    ///
    /// - Throws: ``PageScreenError/notRunning`` when ``run()`` ended before it was.
    public var address: String {
        get async throws { "http://127.0.0.1:\(try await boundPort.value)/" }
    }

    /// The beginning of each ``entrance``, by which a file with an entrance is recognised.
    public static let entranceBeginning = #"<!DOCTYPE html><meta charset="utf-8"><title>login-kiosk</title>"#

    /// A document that leads a browser to the page with the token of this start. Its file must be readable only by
    /// users who may see the screen. The token must not be on a browser's command line, which every user of the
    /// machine can read.
    ///
    /// - Throws: ``PageScreenError/notRunning`` when ``run()`` ended before the page was served.
    public var entrance: String {
        get async throws {
            """
            \(PageScreen.entranceBeginning)
            <script>location.replace("\(try await address)#\(token.text)")</script>

            """
        }
    }
}

/// The reason why there is no page.
public enum PageScreenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// With the system's reason.
    case cannotListen(port: Int, reason: String)
    case notRunning

    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "the web screen cannot listen at 127.0.0.1:\(port) (\(reason)); choose another port"
        case .notRunning: "the web screen is not served"
        }
    }
}
