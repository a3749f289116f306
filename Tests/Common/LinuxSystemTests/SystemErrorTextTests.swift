// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Testing

@Suite struct SystemErrorTextTests {
    @Test func namesTheError() {
        #expect(systemErrorText(ENOENT) == "No such file or directory")
        #expect(!systemErrorText(99_999).isEmpty)
    }

    @Test func takesTheLastErrorOfTheThread() {
        errno = EACCES
        #expect(systemErrorText() == "Permission denied")
    }
}
