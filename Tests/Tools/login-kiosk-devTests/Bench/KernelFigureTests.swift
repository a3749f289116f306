// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import login_kiosk_dev

@Suite struct KernelFigures {
    private let status = "Name:\ta\nVmHWM:\t   20480 kB\nVmRSS:\t   10240 kB\nThreads:\t9\n"

    /// The program's name may look like any of the fields.
    @Test(arguments: ["login-kiosk", "a) S 1 1 (b", ""])
    func tellTimeAndMemoryOfAProcess(_ name: String) throws {
        let stat = "4711 (\(name)) S 1 4711 4711 0 -1 4194560 5000 0 1 0 150 50 0 0 20 0 9 0 100 200 300"
        let figures = try #require(ProcessFigures(stat: stat, status: status, ticksPerSecond: 100))
        #expect(figures.processorTime == 2e9)
        #expect(figures.residentKiB == 10240)
        #expect(figures.peakResidentKiB == 20480)
    }

    @Test(arguments: [
        ("", "VmHWM: 1 kB\nVmRSS: 1 kB"), ("1 (a) S 1", "VmHWM: 1 kB\nVmRSS: 1 kB"),
        ("1 (a) S 1 1 1 0 -1 0 0 0 0 0 1 1 0", "Name: a"),
    ])
    func areMissingWithoutAField(_ stat: String, _ status: String) {
        #expect(ProcessFigures(stat: stat, status: status, ticksPerSecond: 100) == nil)
    }

    @Test func ofThisProcessCanBeRead() throws {
        #expect(try ProcessFigures.current(of: getpid()).residentKiB > 0)
    }

    /// One connection from either side, one that is closing, one to another port.
    @Test func countConnectionsToAPort() {
        let table = ConnectionTable(
            """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1
               1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 2
               2: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 3
               3: 0100007F:C002 0100007F:1F90 06 00000000:00000000 00:00000000 00000000     0        0 0
               4: 0100007F:C003 0100007F:0050 01 00000000:00000000 00:00000000 00000000     0        0 4
            """)
        #expect(table.count(to: 8080) == 2)
        #expect(table.count(to: 81) == 0)
    }
}
