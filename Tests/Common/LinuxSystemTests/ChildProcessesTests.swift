// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
@testable import LinuxSystem

@Suite struct ChildProcessesTests {
    @Test func bothWaysFindAChild() throws {
        let child = Process()
        child.executableURL = URL(filePath: "/bin/sleep")
        child.arguments = ["600"]
        try child.run()
        // Before the list: a child of an earlier test may go at any moment, and none comes.
        let found = ChildProcesses.found()
        #expect(found.contains(child.processIdentifier))
        // The kernel's list, where it has one, is per thread.
        if let listed = ChildProcesses.listed() { #expect(Set(listed).isSubset(of: found)) }
        // Not SIGTERM: a child ignores it if another test of this process has blocked it.
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        #expect(!ChildProcesses.found().contains(child.processIdentifier))
    }
}
