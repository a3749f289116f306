// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import SimulatedCamera

/// A browser at a login page and the simulated camera in front of it, which films to a named pipe for a scanner.
struct FilmedPage: Sendable {
    let browser: BrowserSession
    let camera: PageCamera
    private let pipe: String

    /// - Parameter pipe: its path, which must exist as long as the film.
    init(url: String, pipe: String) throws {
        do { browser = try BrowserSession(url) } catch {
            throw Complaint.make("\(error)", status: .usage)
        }
        camera = PageCamera(browser: browser)
        self.pipe = pipe
    }

    /// The frame source for the kiosk.
    var source: String { "y4m:\(pipe)" }

    /// Films until the task is cancelled.
    func run() async throws {
        do { try await camera.film(toNamedPipe: pipe) } catch {
            throw Complaint.make("\(error)", status: .cannotCreate)
        }
    }
}
