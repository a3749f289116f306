// SPDX-License-Identifier: Apache-2.0

public import Capture
import Glibc
import Synchronization

/// A camera in front of a browser window. All it is given is the browser; what it sees is what that browser's page
/// shows as a picture.
public final class PageCamera: Sendable {
    /// How often it is looked whether a named pipe has a reader, and whether there is something to film.
    private static let readerInterval = Duration.milliseconds(50)

    public let settings: FilmSettings

    private let browser: BrowserSession
    private let shown = Mutex<PageScene?>(nil)

    /// Until the first `look` its frames show a wall, and no film is made of it.
    public init(browser: BrowserSession, settings: FilmSettings = FilmSettings()) {
        self.browser = browser
        self.settings = settings
    }

    var scene: PageScene? { shown.withLock { $0 } }

    /// Loads the page, as a person who presses reload, and films what it shows from now on.
    ///
    /// - Throws: when page or picture cannot be had; there is nothing to film then.
    public func look() async throws(BrowserError) {
        do {
            let scene = PageScene(showing: try await LoginPage.picture(in: browser))
            shown.withLock { $0 = scene }
        } catch {
            shown.withLock { $0 = nil }
            throw error
        }
    }

    /// The film as frames, from its first one.
    public func frames(clock: any FrameClock = MonotonicFrameClock()) -> SimulatedFrameSource {
        SimulatedFrameSource(self, clock: clock)
    }

    /// Films to a pipe as Y4M until the reader leaves or the task is cancelled. While there is nothing to film,
    /// nothing is written.
    ///
    /// - Parameter descriptor: the pipe's end for writing, which is taken over and closed.
    public func film(to descriptor: Int32, clock: any FrameClock = MonotonicFrameClock()) async {
        let stop = StopFlag()
        var thread: DedicatedThread?
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                thread = DedicatedThread { [self] in
                    write(to: descriptor, clock: clock, unless: stop)
                    continuation.resume()
                }
            }
        } onCancel: {
            stop.raise()
        }
        // It has said its last word, so that waiting for its end takes no time.
        _ = thread.take()
    }

    /// Films to a named pipe for one reader after the other until the task is cancelled: a scanner that is started
    /// again finds the camera running.
    ///
    /// - Throws: when there is no named pipe at `path`.
    public func film(toNamedPipe path: String, clock: any FrameClock = MonotonicFrameClock()) async throws(BrowserError)
    {
        while !Task.isCancelled {
            // Without a reader the pipe does not open: ENXIO.
            // Safe: the text is lent for the call.
            let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 {
                await film(to: descriptor, clock: clock)
            } else if errno == ENXIO || errno == EINTR {
                try? await Task.sleep(for: PageCamera.readerInterval)
            } else {
                throw BrowserError(
                    .noPipe, at: path, problem: "cannot be opened as a named pipe (error \(errno))",
                    remedy: "make it with mkfifo, writable by this user")
            }
        }
    }

    private func write(to descriptor: Int32, clock: any FrameClock, unless stop: StopFlag) {
        var writer = Y4MWriter(
            Descriptor(owning: descriptor), width: settings.width, height: settings.height, rate: settings.rate)
        var source = frames(clock: clock)
        var goesOn = true
        while goesOn && !stop.isRaised {
            guard scene != nil else {
                usleep(50_000)
                goesOn = writer.hasReader
                continue
            }
            // A simulated camera does not break, and a frame that is not due yet is asked for again.
            let answer = try? source.lendNext(within: .milliseconds(200)) { frame in
                goesOn = writer.write(frame) { stop.isRaised }
            }
            guard answer != nil else { return }
        }
    }
}

/// Goes up once and stays.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .relaxed) }

    func raise() { flag.store(true, ordering: .relaxed) }
}
