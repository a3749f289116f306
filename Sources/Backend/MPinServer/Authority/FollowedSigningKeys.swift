// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Logging
import Synchronization

/// The signing keys of a running backend, which follow the files of its state directory.
package final class FollowedSigningKeys: Sendable {
    /// The time for which the files are not read again.
    package static let pause = Duration.seconds(10)

    private struct State {
        var ring: SigningKeyRing
        var read: WallTime
        /// The reason why the files could not be read the last time.
        var problem: String?
    }

    private let files: SigningKeyFiles
    private let clock: any WallClock
    private let logger: Logger
    private let state: Mutex<State>

    /// Reads the keys. The first start creates one.
    /// - Throws: `BackendError.file`, `.cryptographyFailed`.
    package init(_ files: SigningKeyFiles, clock: any WallClock, logger: Logger) throws(BackendError) {
        (self.files, self.clock, self.logger) = (files, clock, logger)
        state = Mutex(State(ring: try files.ringOrFirst(), read: clock.now))
    }

    /// The keys. Files that cannot be read, or are being replaced, change nothing.
    package var ring: SigningKeyRing {
        let now = clock.now
        return state.withLock { state in
            // A clock that was set back does not keep the files from being read.
            if state.read + Self.pause <= now || now < state.read {
                state.read = now
                readFiles(into: &state)
            }
            return state.ring
        }
    }

    private func readFiles(into state: inout State) {
        do throws(BackendError) {
            let ring = try files.ring()
            if let next = ring.next, next.key.id != state.ring.next?.key.id {
                logger.notice(
                    "a new signing key", metadata: ["kid": "\(next.key.id)", "signs": "\(next.time.zonedText)"])
            }
            (state.ring, state.problem) = (ring, nil)
        } catch {
            let problem = "\(error)"
            if problem != state.problem {
                logger.error("the signing keys cannot be read, the old ones stay", metadata: ["error": "\(problem)"])
            }
            state.problem = problem
        }
    }
}
