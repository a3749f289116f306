// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import KioskMachine
import KioskRuntime
import LinuxSystem
import Synchronization

/// Releases the code that a start and a session run, each time the kiosk has been unused for some seconds.
final class IdleMemory: KioskObserver {
    /// Long enough that the next person of a queue finds the code in memory.
    private static let patience = Duration.seconds(3)

    private let isServing = Mutex(false)
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    init() { (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func changed(_ condition: KioskCondition) {
        isServing.withLock { $0 = condition == .serving }
        changed.yield()
    }

    var work: LastingWork {
        LastingWork { [self] in
            for await _ in changes {
                try await Task.sleep(for: IdleMemory.patience)
                if !isServing.withLock(\.self) { ProcessMemory.letGoOfCode() }
            }
        }
    }
}
