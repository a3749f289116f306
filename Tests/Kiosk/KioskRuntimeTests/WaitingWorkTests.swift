// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import Testing
@testable import KioskRuntime

@Suite("The work that waits for a task of the kiosk")
struct WaitingWorkTests {
    @Test("A full queue of jobs drops its oldest one")
    func jobs() {
        var queue = JobQueue()
        queue.append(.reset)
        for _ in 1..<JobQueue.capacity { queue.append(.dismissGuests) }
        #expect(queue.isFull)
        queue.append(.dismissGuests)
        let jobs = queue.takeAll()
        #expect(jobs.count == JobQueue.capacity)
        let hasReset = jobs.contains { if case .reset = $0 { true } else { false } }
        #expect(!hasReset && !queue.isFull)
    }

    @Test("Due timers come the earliest first, and each once")
    func timers() {
        var timers = Timers()
        timers.start(.entry, at: .seconds(2), session: SessionNumber(1))
        timers.start(.session, at: .seconds(1), session: SessionNumber(1))
        timers.start(.rest, at: .seconds(3), session: .none)
        timers.start(.notice, at: .seconds(1), session: .none)
        timers.stop(.notice)
        var due: [KioskTimer] = []
        while let timer = timers.takeDue(at: .seconds(2))?.timer { due.append(timer) }
        #expect(due == [.session, .entry] && timers.next == .seconds(3))
    }

    @Test("A newer value replaces one that was not taken")
    func newest() {
        var newest = Newest<Int>()
        newest.put(1)
        newest.put(2)
        let values = [newest.take(), newest.take()]
        #expect(values == [2, nil])
    }
}
