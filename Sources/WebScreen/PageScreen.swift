// SPDX-License-Identifier: Apache-2.0

public import KioskCore
public import Logging
public import Signage
import Waiting

/// A screen in a browser on the same machine.
///
/// ``run()`` serves it on the loopback interface. Views and pictures may come before and after; a browser that comes, or
/// comes back, sees the newest view at once, and one that is slow skips what it missed.
public final class PageScreen: KioskScreen {
    /// What holds for every connection.
    struct Limits: Sendable {
        var connections = 32
        /// For a request to be there, and between two of them.
        var idle = Duration.seconds(5)
        /// For a browser to take what is sent to it.
        var stall = Duration.seconds(15)
        /// Between two signs of life on a stream without news; by them a browser that has gone is noticed.
        var beat = Duration.seconds(5)
    }

    /// The script makes the letters of one as large as the page lets it.
    public let documentRoom: DocumentPageSize? = .standard
    /// Keys that were pressed on the page; nil when they are switched off.
    public let keypad: PageKeypad?
    /// Whether a browser looks, from now on, for one consumer: nobody needs to film for a page that nobody sees.
    public let audience: AsyncStream<Bool>

    let hub: PageHub
    let port: Int
    let limits: Limits
    let logger: Logger
    let boundPort = Eventually<Int>()
    private let previews: PreviewPacer

    /// - Parameters:
    ///   - port: of the loopback interface; 0 for any.
    ///   - languages: the view says which of them is shown.
    ///   - hasKeys: whether a browser that knows the token of this start may press keys.
    public convenience init(port: Int, languages: Languages, hasKeys: Bool = false, logger: Logger) {
        self.init(port: port, languages: languages, hasKeys: hasKeys, limits: Limits(), logger: logger)
    }

    init(
        port: Int, languages: Languages, hasKeys: Bool, limits: Limits, clock: some Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.port = port
        self.limits = limits
        self.logger = logger
        keypad = hasKeys ? PageKeypad() : nil
        hub = PageHub(languages: languages, clock: clock)
        audience = hub.audience
        previews = PreviewPacer(clock: clock)
    }

    public func show(_ view: KioskView) async { hub.show(view) }

    /// Shows what the camera sees, while the view is that of scanning and somebody looks; at most six pictures a second.
    public func show(_ picture: PreviewPicture) {
        guard hub.wantsPreview, previews.admits() else { return }
        do { hub.show(jpeg: try PreviewEncoder.jpeg(picture)) } catch {
            logger.warning("no preview", metadata: ["reason": "\(error)"])
        }
    }

    /// Where a browser finds the page, with the token of this start when keys are on it; waits until it is served.
    ///
    /// - Throws: ``PageScreenError/notRunning`` when ``run()`` ended before it was.
    public var address: String {
        get async throws {
            let address = "http://127.0.0.1:\(try await boundPort.value)/"
            return keypad.map { "\(address)#\($0.token)" } ?? address
        }
    }
}
