// SPDX-License-Identifier: Apache-2.0

public import Capture
import Glibc
public import KioskPorts
import LinuxSystem
import Synchronization

/// A camera in front of a browser window. Its only input is the browser, and it films the picture that the browser's
/// page shows.
public final class PageCamera: Sendable {
    /// The interval at which it checks for a named pipe's reader, and for something to film.
    private static let readerInterval = Duration.milliseconds(50)

    public let settings: FilmSettings

    private let browser: BrowserSession
    private let shown = Mutex<PageScene?>(nil)

    /// Makes a camera without a page. Until the first `look` its frames show a wall, and no film is made.
    public init(browser: BrowserSession, settings: FilmSettings = FilmSettings()) {
        self.browser = browser
        self.settings = settings
    }

    var scene: PageScene? { shown.withLock { $0 } }

    /// Loads the page, like a person who presses reload, and films it from now on.
    ///
    /// - Throws: when page or picture cannot be loaded. Then there is nothing to film.
    public func look() async throws(FrameSourceError) {
        do {
            let scene = PageScene(showing: try await browser.loadPicture())
            shown.withLock { $0 = scene }
        } catch {
            shown.withLock { $0 = nil }
            throw error
        }
    }

    /// Films to a pipe as Y4M until the reader leaves or the task is cancelled. It writes nothing while there is
    /// nothing to film.
    ///
    /// - Parameter descriptor: the pipe's end for writing. The camera takes it over and closes it.
    public func film(to descriptor: Int32, clock: any FrameClock = MonotonicFrameClock()) async {
        let stop = StopFlag()
        var thread: SystemThread?
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                thread = SystemThread.required { [self] in
                    write(to: descriptor, clock: clock, unless: stop)
                    continuation.resume()
                }
            }
        } onCancel: {
            stop.raise()
        }
        // The thread has finished, so waiting for its end takes no time.
        _ = thread.take()
    }

    /// Films to a named pipe for one reader after another until the task is cancelled, so that a restarted scanner
    /// finds the camera running.
    ///
    /// - Throws: when there is no named pipe at `path`.
    public func film(toNamedPipe path: String, clock: any FrameClock = MonotonicFrameClock())
        async throws(FrameSourceError)
    {
        while !Task.isCancelled {
            // ENXIO: the pipe does not open without a reader. Safe: the text is lent for the call.
            let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 {
                await film(to: descriptor, clock: clock)
            } else if errno == ENXIO || errno == EINTR {
                try? await Task.sleep(for: PageCamera.readerInterval)
            } else {
                throw FrameSourceError(
                    .unreadable, at: path, problem: "cannot be opened as a named pipe (error \(errno))",
                    remedy: "make it with mkfifo, writable by this user")
            }
        }
    }

    private func write(to descriptor: Int32, clock: any FrameClock, unless stop: StopFlag) {
        var writer = Y4MWriter(
            Descriptor(owning: descriptor), width: settings.width, height: settings.height, rate: settings.rate)
        var source = SimulatedFrameSource(self, clock: clock)
        var goesOn = true
        while goesOn && !stop.isRaised {
            guard scene != nil else {
                usleep(50_000)
                goesOn = writer.hasReader
                continue
            }
            // A simulated camera does not fail. If no frame is due yet the loop asks again.
            let answer = try? source.lendNext(within: .milliseconds(200)) { frame in
                goesOn = writer.write(frame) { stop.isRaised }
            }
            guard answer != nil else { return }
        }
    }
}

/// A flag that can be raised once.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .relaxed) }

    func raise() { flag.store(true, ordering: .relaxed) }
}
