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
        #expect(ChildProcesses.found().contains(child.processIdentifier))
        // Where the kernel has a list, it is one of each thread.
        if let listed = ChildProcesses.listed() { #expect(Set(listed).isSubset(of: ChildProcesses.found())) }
        // Not by SIGTERM, which a child does not hear where another test of this process has it blocked.
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        #expect(!ChildProcesses.found().contains(child.processIdentifier))
    }
}
