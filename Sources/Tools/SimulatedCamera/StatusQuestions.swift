// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The questions of one page, as its script asks them: one after the other, each with the answer that the page has, so
/// that the server holds it until there is another one. After an answer without news the next question waits until a
/// second has passed since the last one.
public struct StatusQuestions: Sendable {
    private static let pace = Duration.seconds(1)

    private let browser: BrowserSession
    private var known = ""
    private var next = ContinuousClock.now

    public init(_ browser: BrowserSession) { self.browser = browser }

    /// Waits for another answer, as long as the server holds the question.
    public mutating func ask() async throws(FrameSourceError) -> BrowserStatus {
        // The question of a cancelled task ends by itself.
        try? await Task.sleep(until: next)
        next = .now + Self.pace
        let status = try await browser.status(after: known)
        if status.version != known { next = .now }
        known = status.version
        return status
    }
}
